/** @module What a person does to the run: a button an action, and a dialog that says what it does and asks why. */
import { type PageElement, type PageEvent, type Tree, typedInto } from './browser.ts';
import { html } from './html.ts';
import type { PageState } from './store.ts';

/** What a person asks for. */
export interface ControlCalls {
  open(action: string): void;
  close(): void;
  act(action: string, parameters: Readonly<Record<string, unknown>>): void;
}

interface Control {
  readonly action: string;
  readonly name: string;
  /** What it does, for the dialog. */
  readonly does: string;
  /** What it may be about beside the account. */
  readonly scopes: readonly ('market' | 'strategy')[];
  readonly isGrave?: true;
}

const CONTROLS: readonly Control[] = [
  {
    ...{ action: 'pause', name: 'Pause', scopes: ['market', 'strategy'] },
    does: 'Pulls all quotes. Nothing is placed until it is resumed, but for what reduces a position.',
  },
  {
    ...{ action: 'reduce', name: 'Reduce', scopes: ['market', 'strategy'] },
    does: 'Lets positions only become smaller until it is resumed.',
  },
  {
    ...{ action: 'resume', name: 'Resume', scopes: ['market', 'strategy'] },
    does: 'Lets it trade again, also after a halt that waits for a person. Losses count from here on.',
  },
  {
    ...{ action: 'cancel-all', name: 'Cancel all', scopes: ['market', 'strategy'] },
    does: 'Cancels every open order. Strategies continue and may quote again at once.',
  },
  {
    ...{ action: 'set', name: 'Set a parameter', scopes: [] },
    does: 'Gives a running strategy another value of one of its parameters.',
  },
  {
    ...{ action: 'flatten', name: 'Flatten', scopes: ['market'], isGrave: true },
    does: 'Halts, cancels everything and closes the positions with reduce-only orders within the price limits.',
  },
  {
    ...{ action: 'stop', name: 'Stop', scopes: [], isGrave: true },
    does: 'Ends the run in order: everything is canceled, and it is proven that no order is open. A stopped run is started again by hand.',
  },
];

/** The buttons. */
export function controls({ phase, message }: PageState, calls: ControlCalls): Tree {
  const isOff = phase.kind !== 'live' || message?.view === undefined;
  return html`<nav class="controls" aria-label="controls">
    ${CONTROLS.map(
      ({ action, name, isGrave }) =>
        html`<button type="button" key=${action} data-action=${action} class=${isGrave ? 'grave' : ''} disabled=${isOff}
          onClick=${() => calls.open(action)}>${name}…</button>`,
    )}
  </nav>`;
}

const showModal = (element: PageElement | null): void => {
  if (element !== null && element.open !== true) element.showModal?.();
};

/** The dialog that is open. */
export function dialog(state: PageState, calls: ControlCalls): Tree {
  const { dialog: shown } = state;
  const control = CONTROLS.find(({ action }) => action === shown?.action);
  if (shown === undefined || control === undefined) return null;
  const submit = (event: PageEvent): void => {
    event.preventDefault();
    calls.act(control.action, parametersOf(control, typedInto(event.currentTarget)));
  };
  const close = (event: PageEvent): void => {
    event.preventDefault();
    calls.close();
  };
  const { name, does, isGrave } = control;
  return html`<dialog ref=${showModal} onCancel=${close} aria-labelledby="dialog-title">
    <form onSubmit=${submit}>
      <h2 id="dialog-title">${name}</h2>
      <p>${does}</p>
      ${shown.isSent ? null : fields(control, state)}
      ${
        shown.answer &&
        html`<p class=${`answer ${shown.answer.isGood ? 'good' : 'bad'}`} role="status">${shown.answer.text}</p>`
      }
      ${shown.isSent && shown.answer === undefined && html`<p class="soft" role="status">Asked; the answer waits for the effect, at most 5 s…</p>`}
      <div class="buttons">
        <button type="button" onClick=${close}>${shown.isSent ? 'Close' : 'Leave it'}</button>
        ${!shown.isSent && html`<button type="submit" class=${isGrave ? 'grave full' : 'full'}>${name} now</button>`}
      </div>
    </form>
  </dialog>`;
}

function fields({ action, scopes }: Control, { message }: PageState): Tree {
  const { strategies = [], markets = [] } = message?.view?.status ?? {};
  return html`
    ${
      scopes.length > 0 &&
      html`<label>What it is about
        <select name="scope">
          <option value="account">the whole account</option>
          ${scopes.includes('market') && markets.map(({ symbol }) => html`<option key=${symbol} value=${`market ${symbol}`}>market ${symbol}</option>`)}
          ${scopes.includes('strategy') && strategies.map(({ id }) => html`<option key=${id} value=${`strategy ${id}`}>strategy ${id}</option>`)}
        </select></label>`
    }
    ${
      action === 'set' &&
      html`<label>Parameter, with its value now
          <select name="parameter" required>${strategies.flatMap(({ id, parameters }) =>
            leavesOf(parameters, id).map(
              ([path, value]) => html`<option key=${path} value=${path}>${path} = ${value}</option>`,
            ),
          )}</select></label>
        <label>New value <input name="value" required autocomplete="off" /></label>`
    }
    ${action === 'stop' && html`<label class="check"><input type="checkbox" name="flatten" value="yes" /> Close all positions first</label>`}
    <label>Reason, for the journal <input name="reason" required maxlength="200" autocomplete="off" /></label>`;
}

/** The parameters of an action from what was typed. */
function parametersOf(
  { action }: Control,
  { scope = 'account', parameter, value, reason = '', flatten }: Readonly<Record<string, string>>,
): Readonly<Record<string, unknown>> {
  const space = scope.indexOf(' ');
  const about = space < 0 ? {} : { [scope.slice(0, space)]: scope.slice(space + 1) };
  return {
    ...{ actor: 'dashboard', reason },
    ...about,
    ...(action === 'set' ? { parameter, value } : {}),
    ...(action === 'stop' ? { flatten: flatten === 'yes' } : {}),
  };
}

/** Each value of `parameters` by its path. */
export function leavesOf(parameters: unknown, path: string): readonly (readonly [string, string])[] {
  if (typeof parameters !== 'object' || parameters === null || Array.isArray(parameters))
    return [[path, typeof parameters === 'string' ? parameters : JSON.stringify(parameters)]];
  return Object.entries(parameters).flatMap(([name, value]) => leavesOf(value, `${path}.${name}`));
}
