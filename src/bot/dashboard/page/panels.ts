/** @module The other parts of the page: profit, limits, health, switch, lanes, strategies, fills, entries, runs. */
import type { Tree } from './browser.ts';
import { leavesOf } from './controls.ts';
import { type ExplainCalls, explainButton } from './explanation.ts';
import { html } from './html.ts';
import type { PageState } from './store.ts';
import {
  clockWords,
  digitWords,
  instantWords,
  lengthWords,
  moneyWords,
  signedWords,
  toneOf,
} from './words.ts';

/** What each check of the health looks at. */
const CHECKS: Readonly<Record<string, string>> = {
  H1: 'every write has its outcome within 5 s',
  H2: 'the private stream is recent',
  H3: 'risk has looked within the last second',
  H4: 'every strategy that owns orders responds',
  H5: 'the journal takes records, disk is left',
  H6: 'the clock agrees with the exchange',
  H7: 'positions from fills equal the published ones',
  H8: 'the event loop and the queues keep up',
  H9: 'the grant of the wallet outlasts the switch',
  H10: 'nothing waits for a person to resume it',
};

type View = NonNullable<NonNullable<PageState['message']>['view']>;

/** A panel with its title. */
function panel(title: string, inside: Tree, name: string): Tree {
  return html`<section class="panel" key=${title} id=${name}><h2>${title}</h2>${inside}</section>`;
}

function table(heads: readonly string[], rows: readonly Tree[], kind = ''): Tree {
  return html`<div class="scroll"><table class=${kind}><thead><tr>${heads.map((one) => html`<th key=${one}>${one}</th>`)}</tr></thead><tbody>${rows}</tbody></table></div>`;
}

function none(text: string): Tree {
  return html`<p class="soft">${text}</p>`;
}

/** Profit by where it came from. */
export function profitPanel({ profit, status }: View): Tree {
  if (profit === undefined)
    return panel(
      'Profit',
      table(
        ['Part', 'Collateral'],
        Object.entries(status.pnl).map(
          ([name, text]) =>
            html`<tr key=${name}><td>${name}</td><td class=${toneOf(text)}>${signedWords(text)}</td></tr>`,
        ),
      ),
      'profit',
    );
  const fees = `${-Number(profit.fees)}`;
  const parts = [
    ['Spread', profit.spread, 'captured at fills: mid less price'],
    ['Fees', fees, 'paid less rebates'],
    ['Funding', profit.funding, 'received less paid'],
    ['Inventory', profit.inventory, 'what prices did for what was held'],
  ] as const;
  const largest = Math.max(...parts.map(([, text]) => Math.abs(Number(text))), 1e-9);
  return panel(
    'Profit, by where it came from',
    html`${table(
      ['Part', 'Collateral', ''],
      [
        ...parts.map(
          ([name, text, about]) => html`<tr key=${name}><td>${name}<small>${about}</small></td>
            <td class=${toneOf(text)}>${signedWords(text)}</td><td class="bar">${bar(Math.abs(Number(text)) / largest, toneOf(text))}</td></tr>`,
        ),
        html`<tr key="total" class="sum"><td>Total<small>since strategies began in this run</small></td><td class=${toneOf(profit.total)}>${signedWords(profit.total)}</td><td></td></tr>`,
      ],
      'parts',
    )}`,
    'profit',
  );
}

function bar(share: number, tone: string): Tree {
  return html`<span class="track"><i class=${tone} style=${{ width: `${Math.min(100, Math.max(0, share * 100)).toFixed(1)}%` }}></i></span>`;
}

/** The use of limits. */
export function riskPanel({ risk }: View): Tree {
  return panel(
    'Limits and their use',
    risk.length === 0
      ? none('The limits of this run are not known.')
      : html`${table(
          ['Limit', 'Used', 'Of', ''],
          risk.map(({ control, scope, what, used, limit, unit, share }) => {
            const words =
              unit === 'collateral' ? moneyWords : (text: string) => (unit === 'x' ? `${text}x` : text);
            const tone = share >= 0.9 ? 'bad' : share >= 0.7 ? 'warn' : 'use';
            return html`<tr key=${`${control} ${scope} ${what}`}><td>${scope}: ${what}<small>${control}${unit === 'collateral' ? ', in collateral' : ''}</small></td>
              <td>${words(used)}</td><td>${words(limit)}</td><td class="bar" title=${`${(share * 100).toFixed(1)} %`}>${bar(share, tone)}<small>${(share * 100).toFixed(0)} %</small></td></tr>`;
          }),
          'parts',
        )}<p class="soft">Worst case: what is held and everything that could still execute. P and M are the numbers of the controls in the reference "denials".</p>`,
    'risk',
  );
}

/** The health vector and the switch. */
export function healthPanel({ status }: View): Tree {
  const { armedForMs, held } = status.switch;
  return panel(
    "Health and dead man's switch",
    html`<p>${
      armedForMs === undefined
        ? html`<b class="bad">The switch is not armed.</b> If this run died, its orders would stay.`
        : html`The exchange cancels all orders in <b id="countdown">${lengthWords(armedForMs)}</b>, unless the switch is renewed before.`
    }</p>
    ${armedForMs === undefined ? null : html`<span class="track tall"><i class=${armedForMs < 10_000 ? 'bad' : 'use'} style=${{ width: `${Math.min(100, armedForMs / 600)}%` }}></i></span><p class="soft">The bar is full at 60 s.</p>`}
    ${held.map((why) => html`<p class="bad" key=${why}>Not renewed: ${why}</p>`)}
    <ul class="checks">${status.health.items.map(
      ({ id, isHealthy, reason }) => html`<li key=${id} class=${isHealthy ? 'good' : 'bad'}>
        <b>${isHealthy ? '✓' : '✗'} ${id}</b><span>${CHECKS[id] ?? ''}${reason === '' ? '' : html`<small class="bad">${reason}</small>`}</span></li>`,
    )}</ul>`,
    'health',
  );
}

/** Lanes, and writes without an outcome. */
export function lanePanel({ lanes, writes, status }: View): Tree {
  return panel(
    'Lanes and unresolved writes',
    html`${
      lanes.length === 0
        ? none('This run has no lanes of its own: its orders go to a simulated venue.')
        : table(
            ['Lane', 'State', 'Write under way for', 'Unresolved', 'Signer'],
            lanes.map(
              ({ lane, state, haltCode, busyMs, unresolved, signer }) => html`<tr key=${lane}><td>${lane}</td>
                <td class=${state === 'halted' ? 'bad' : ''}>${state}${haltCode === undefined ? '' : `: ${haltCode}`}</td>
                <td>${busyMs > 0 ? `${Math.round(busyMs)} ms` : '–'}</td><td class=${unresolved > 0 ? 'bad' : ''}>${unresolved}</td>
                <td class=${signer?.kind === 'down' ? 'bad' : ''}>${signerWords(signer)}</td></tr>`,
            ),
          )
    }
    ${lanes.map(signerTrouble)}
    ${
      writes.length === 0
        ? none('Every write has its outcome.')
        : table(
            ['Write', 'Lane', 'Sent (UTC)'],
            writes.map(
              ({ requestId, lane, sentAtMs }) =>
                html`<tr key=${requestId}><td>${requestId}</td><td>${lane}</td><td>${clockWords(sentAtMs)} (${lengthWords(status.atMs - sentAtMs)} ago)</td></tr>`,
            ),
          )
    }`,
    'lanes',
  );
}

type LaneSigner = View['lanes'][number]['signer'];

function signerWords(signer: LaneSigner): string {
  if (signer === undefined) return 'in the run';
  const { kind, p50Ms, p99Ms } = signer;
  return `${kind}, ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms`;
}

/** Below the table, which has no room for a sentence. */
function signerTrouble({ lane, signer }: View['lanes'][number]): Tree {
  if (signer?.sinceMs === undefined) return null;
  const { kind, why = 'it does not sign', sinceMs } = signer;
  const since = `since ${clockWords(sinceMs)} UTC: ${why}`;
  return kind === 'down'
    ? html`<p key=${lane} class="bad">The signer of lane ${lane} does not answer ${since}. The lane cannot write until it signs: see to the signer, it is asked each second.</p>`
    : html`<p key=${lane}>The signer of lane ${lane} has failed ${since}.</p>`;
}

/** The strategies. */
export function strategyPanel({ status }: View): Tree {
  return panel(
    'Strategies',
    status.strategies.length === 0
      ? none('This run has no strategy.')
      : table(
          ['Strategy', 'State', 'Trading', 'Profit', 'Fills', 'As maker', 'Inventory'],
          status.strategies.map((one) => {
            const { id, name, state, reason, inEffect, pnl, fills, makerFills, inventory } = one;
            return html`<tr key=${id}><td>${id}<small>${name}</small>
                <details><summary>parameters</summary><small>${leavesOf(one.parameters, id).map(([path, value]) => html`<div key=${path}>${path} = ${value}</div>`)}</small></details></td>
              <td class=${state === 'failed' ? 'bad' : ''}>${state}${reason === '' ? null : html`<small>${reason}</small>`}</td>
              <td class=${inEffect === 'active' ? '' : 'bad'}>${inEffect}</td><td class=${toneOf(pnl.total)}>${signedWords(pnl.total)}</td>
              <td>${fills}</td><td>${fills === 0 ? '–' : `${Math.round((100 * makerFills) / fills)} %`}</td>
              <td>${Object.entries(inventory).map(([symbol, size]) => html`<div key=${symbol}>${digitWords(size)} ${symbol}</div>`)}</td></tr>`;
          }),
          'words-table',
        ),
    'strategies',
  );
}

/** The newest fills. */
export function fillPanel({ status }: View, calls: ExplainCalls): Tree {
  return panel(
    'Newest fills',
    status.fills.length === 0
      ? none('Nothing was filled yet.')
      : html`<div class="tall">${table(
          ['Time (UTC)', 'Market', 'Side', 'Price', 'Size', 'As', 'Strategy', 'Why'],
          status.fills.map(
            ({ id, atMs, symbol, side, price, size, role, strategy }) =>
              html`<tr key=${id}><td>${clockWords(atMs)}</td><td>${symbol}</td><td class=${side === 'buy' ? 'good' : 'bad'}>${side === 'buy' ? 'bought' : 'sold'}</td>
                <td>${digitWords(price)}</td><td>${digitWords(size)}</td><td>${role}</td><td>${strategy ?? 'nobody'}</td><td>${explainButton(`fill ${id}`, calls)}</td></tr>`,
          ),
        )}</div>`,
    'fills',
  );
}

function entryList(entries: PageState['events'], empty: string, calls?: ExplainCalls): Tree {
  if (entries.length === 0) return none(empty);
  return html`<ol class="entries">${entries.map(
    ({
      n,
      atMs,
      level,
      text,
      detail,
      question,
    }) => html`<li key=${n} class=${level}><time>${clockWords(atMs)}</time>
      <span><b>${text}</b>${detail === '' ? '' : html` <small>${detail}</small>`}${calls !== undefined && question !== undefined && html` ${explainButton(question, calls)}`}</span></li>`,
  )}</ol>`;
}

/** Rows of the journal, newest first. */
export function eventPanel({ events }: PageState, calls: ExplainCalls): Tree {
  return panel(
    'Event log',
    html`${entryList(events, 'Nothing was decided but about single orders.', calls)}
      <p class="soft">Rows of the journal, newest first (UTC). Those of single orders and of gaps below a second are in the journal alone.</p>`,
    'events',
  );
}

/** Lines of the log, newest first. */
export function logPanel({ lines }: PageState): Tree {
  return panel('Log', entryList(lines, 'No line was written yet.'), 'log');
}

/** The runs of this user. */
export function runPanel(
  { runs, message, reportProblem, making }: PageState,
  calls: { list(): void; report(runId: string): void },
): Tree {
  const rows = (runs ?? []).slice(0, 30).map((run) => {
    const { runId, name, mode, state, startedAtMs, ended, hasReport } = run;
    const isThis = runId === message?.run.runId;
    return html`<tr key=${runId}><td>${name}<small>${runId}</small></td><td>${isThis ? 'this run' : state}</td><td>${mode}</td><td>${instantWords(startedAtMs)}</td>
      <td>${ended === undefined ? '' : `${ended.reason}${ended.isProven ? '' : ' (not proven)'}`}</td>
      <td>${
        hasReport
          ? html`<button type="button" class="link" data-report=${runId} disabled=${making !== undefined} onClick=${() => calls.report(runId)}>${making === runId ? 'is made…' : 'open report'}</button>`
          : html`<span class="soft">${ended === undefined ? 'when it has ended' : 'no record kept'}</span>`
      }</td></tr>`;
  });
  return panel(
    'Runs, newest first',
    html`<p><button type="button" onClick=${calls.list}>Read the list again</button>${reportProblem === undefined ? null : html` <span class="bad">No report: ${reportProblem}</span>`}</p>
      ${rows.length === 0 ? none('No run is listed.') : table(['Run', 'State', 'Mode', 'Started', 'End', 'Report'], rows, 'words-table')}`,
    'runs',
  );
}
