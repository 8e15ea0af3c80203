/** @module The page as it starts: the token of the tab, the feed, and the whole tree drawn again with each change. */
import {
  later,
  nameTab,
  onAddress,
  onLook,
  type PageEvent,
  root,
  type Tree,
  tokenOfTab,
  typedInto,
} from './browser.ts';
import { drawCharts } from './charts.ts';
import { act, askWhy, beginSession, endSession, listRuns, openReport } from './connection.ts';
import { controls, dialog } from './controls.ts';
import { explanation } from './explanation.ts';
import { banners, cards, head } from './head.ts';
import { draw, html, seen } from './html.ts';
import { marketPanel, quotePanel } from './market-panel.ts';
import {
  eventPanel,
  fillPanel,
  healthPanel,
  lanePanel,
  logPanel,
  profitPanel,
  riskPanel,
  runPanel,
  strategyPanel,
} from './panels.ts';
import { newState } from './store.ts';

const state = newState(tokenOfTab());
const place = root();

function page(): Tree {
  if (state.phase.kind === 'locked') return locked(state.phase.why);
  const view = state.message?.view;
  return html`
    ${head(state, { end: endNow, ask: openDialog })}
    ${controls(state, dialogCalls)}
    <main class=${state.phase.kind === 'lost' ? 'old' : ''}>
      ${banners(state)}
      ${cards(state)}
      ${
        view === undefined
          ? state.message !== undefined &&
            html`<section class="panel"><h2>The run starts</h2><p>Its account is read, positions are compared and the dead man's switch is armed. Figures come with that; the log below tells how far it is.</p></section>`
          : html`<div class="grid">${marketPanel(state, marketCalls)}</div>
            <div class="grid">
              <div class="stack">${profitPanel(view)} ${quotePanel(state, explainCalls)}</div>
              <div class="stack">${healthPanel(view)} ${lanePanel(view)}</div>
              <div class="stack">${riskPanel(view)}</div>
            </div>`
      }
      <div class="grid two">
        <div class="stack">${view && strategyPanel(view)} ${eventPanel(state, explainCalls)}</div>
        <div class="stack">${view && fillPanel(view, explainCalls)} ${logPanel(state)}</div>
      </div>
      <div class="grid one">${runPanel(state, { list: () => void listRuns(state, changed), report: (runId) => void openReport(state, runId, changed) })}</div>
    </main>
    <footer>Times are UTC. Amounts are in the collateral of the account. This page asks nothing but the door of this run. <code>ballast top</code> shows the same on a terminal.</footer>
    ${dialog(state, dialogCalls)}
    ${explanation(state, explainCalls)}`;
}

function locked(why: string | undefined): Tree {
  const submit = (event: PageEvent): void => {
    event.preventDefault();
    const token = (typedInto(event.currentTarget)['token'] ?? '').trim();
    if (token !== '') beginSession(state, token, changed);
  };
  return html`<main class="locked"><section class="panel">
    <h1>ballast</h1>
    ${why === undefined ? null : html`<p class="bad" role="alert">${why}</p>`}
    <p>This page needs the token of the run. Type <code>ballast dashboard</code> on the machine of the run and open the address that it prints, or paste the token here.</p>
    <form onSubmit=${submit}>
      <label>Token <input name="token" type="password" required autocomplete="off" spellcheck=${false} /></label>
      <button type="submit" class="full">Begin session</button>
    </form>
    <p class="soft">The token stays in this tab (sessionStorage) until the session or the tab is ended. It is sent to this address alone, in a header.</p>
  </section></main>`;
}

const dialogCalls = {
  open: openDialog,
  close: () => {
    state.dialog = undefined;
    changed();
  },
  act: (action: string, parameters: Readonly<Record<string, unknown>>) =>
    void act(state, action, parameters, changed),
};

const explainCalls = {
  explain: (question: string) => void askWhy(state, question, changed),
  close: () => {
    state.explained = undefined;
    changed();
  },
};

const marketCalls = {
  choose: (symbol: string) => {
    state.market = symbol;
    changed();
  },
  span: (windowMs: number) => {
    state.windowMs = windowMs;
    changed();
  },
};

function openDialog(action: string): void {
  state.dialog = { action, isSent: false };
  changed();
}

function endNow(): void {
  endSession(state);
  changed();
}

function changed(): void {
  if (place === null) return;
  const name = state.message?.run.name;
  nameTab(
    name === undefined ? 'ballast' : seen(`${name}: ${state.message?.view?.status.state ?? 'starting'}`),
  );
  draw(page(), place);
  drawCharts(state);
}

/** While nothing comes, the page still says since when. */
function tick(): void {
  if (state.phase.kind === 'lost') changed();
  later(1_000, tick);
}

onLook(changed);
onAddress(() => {
  const token = tokenOfTab();
  if (token !== undefined) beginSession(state, token, changed);
});
if (state.token === undefined) changed();
else beginSession(state, state.token, changed);
tick();
