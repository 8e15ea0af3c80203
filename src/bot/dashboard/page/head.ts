/** @module The head of the page: which run it is, how it stands, how the page stands to it, and the end of the session. */
import { now, type Tree } from './browser.ts';
import { html } from './html.ts';
import type { PageState } from './store.ts';
import { clockWords, instantWords, lengthWords, moneyWords, signedWords, toneOf } from './words.ts';

/** What a person asks for from the head. */
export interface HeadCalls {
  end(): void;
  ask(action: string): void;
}

/** Colors of the states of a run. */
const TONES: Readonly<Record<string, string>> = {
  quoting: 'good',
  degraded: 'warn',
  stopping: 'warn',
  stopped: 'bad',
};

/** The state in one word, and its color: a halt goes before what the rest of the run does. */
function stateOf({ message }: PageState): { readonly word: string; readonly tone: string } {
  const status = message?.view?.status;
  if (status === undefined) return { word: 'starting', tone: 'plain' };
  if (status.trading.state === 'halted') return { word: 'halted', tone: 'bad' };
  if (status.trading.state !== 'active') return { word: status.trading.state, tone: 'warn' };
  return { word: status.state, tone: TONES[status.state] ?? 'plain' };
}

/** The head. */
export function head(state: PageState, calls: HeadCalls): Tree {
  const run = state.message?.run;
  const { word, tone } = stateOf(state);
  const isLost = state.phase.kind === 'lost';
  return html`<header>
    <div class="title">
      <h1>${run?.name ?? 'ballast'}</h1>
      ${run && html`<span class=${`badge ${isLost ? 'plain' : tone}`} data-state=${word}>${word}</span>`}
      <span class=${`badge ${isLost ? 'bad' : 'plain'}`} data-phase=${state.phase.kind}>
        ${{ live: 'connected', lost: 'disconnected', connecting: 'connecting', locked: 'no session' }[state.phase.kind]}
      </span>
    </div>
    ${
      run &&
      html`<p class="soft">${run.mode} on ${run.environment}${run.account === undefined ? '' : ` as ${run.account}`}, run ${run.runId}, started ${instantWords(run.startedAtMs)}</p>`
    }
    <div class="session">
      <span class="soft">This tab holds the token of the run.</span>
      <button type="button" id="end-session" onClick=${calls.end}>End session</button>
    </div>
  </header>`;
}

/** What keeps the run from trading, and what keeps the page from the run; nothing where all is well. */
export function banners(state: PageState): Tree {
  const { phase, message } = state;
  const status = message?.view?.status;
  const halts = status?.halts ?? [];
  const reasons = status?.reasons ?? [];
  return html`<div class="banners" aria-live="polite">
    ${
      phase.kind === 'lost' &&
      html`<p class="banner bad" id="lost"><b>Disconnected since ${clockWords(phase.sinceMs)} UTC (${lengthWords(now() - phase.sinceMs)}).</b>
        ${' '}The run has ended or does not answer. What is shown below is as it was then. Trying again every 2 s.</p>`
    }
    ${phase.kind === 'connecting' && html`<p class="banner plain">Connecting to the run…</p>`}
    ${halts.map(
      ({ scope, control, reason }) =>
        html`<p class="banner bad" key=${`${scope} ${control}`}><b>Halted: ${scope}</b> by ${control}. ${reason}. It stays halted until a person resumes it.</p>`,
    )}
    ${
      status !== undefined &&
      status.trading.state === 'reducing' &&
      html`<p class="banner warn"><b>Reducing:</b> positions may only become smaller. ${status.trading.reason}</p>`
    }
    ${reasons.map((reason) => html`<p class="banner warn" key=${reason}><b>Not trading:</b> ${reason}</p>`)}
  </div>`;
}

/** The figures that are looked at first. */
export function cards(state: PageState): Tree {
  const view = state.message?.view;
  if (view === undefined) return null;
  const { status, profit } = view;
  const orders = status.markets.reduce((sum, market) => sum + market.orders.length, 0);
  const fills = status.strategies.reduce((sum, strategy) => sum + strategy.fills, 0);
  const failing = status.health.items.filter(({ isHealthy }) => !isHealthy);
  const total = profit?.total ?? status.pnl.total;
  const { armedForMs, held } = status.switch;
  return html`<section class="cards" aria-label="key figures">
    ${card('Profit of this run', signedWords(total), { note: 'collateral, after fees and funding', tone: toneOf(total) })}
    ${card('Equity', moneyWords(status.equity), { note: 'collateral' })}
    ${card('Open orders', `${orders}`, { note: `${status.denials} intents denied so far` })}
    ${card('Fills', `${fills}`, { note: 'of strategies, since they began' })}
    ${card("Dead man's switch", armedForMs === undefined ? 'not armed' : lengthWords(armedForMs), {
      note:
        held.length > 0
          ? `not renewed: ${held.join(', ')}`
          : armedForMs === undefined
            ? 'nothing would cancel our orders'
            : 'until all orders are canceled, if not renewed',
      tone: armedForMs === undefined || held.length > 0 ? 'bad' : '',
    })}
    ${card('Health', failing.length === 0 ? 'all well' : failing.map(({ id }) => id).join(', '), {
      note: failing.length === 0 ? `${status.health.items.length} checks` : 'fails, see below',
      tone: failing.length === 0 ? 'good' : 'bad',
    })}
    ${card('Unresolved writes', `${status.unresolved}`, {
      note: `outcome not known; ${status.inFlight} wait for an answer`,
      tone: status.unresolved === 0 ? '' : 'bad',
    })}
  </section>`;
}

function card(
  name: string,
  value: string,
  { note, tone = '' }: { readonly note: string; readonly tone?: string },
): Tree {
  return html`<div class="card" key=${name}><span>${name}</span><b class=${tone}>${value}</b><small>${note}</small></div>`;
}
