/** @module Several runs side by side as one plain document, as text and as a page. */
import { labeledText } from '../core/index.ts';
import type { RunRecord } from '../domain/index.ts';
import { escaped, table } from './html-parts.ts';
import { plainPage } from './html-plain.ts';
import type { Statistic } from './metrics.ts';
import { reportOf } from './report-document.ts';
import { thinned } from './series.ts';
import { COLORS, lineChart } from './svg.ts';
import { about, bps, grouped, percent, plain, signed } from './words.ts';

/** How many points the line of a run has at most. */
const POINTS_MAX = 1_500;
const HOUR_MS = 3_600_000;

/** The main statistics of one run, named as in its report. */
export interface RunsRow {
  readonly run: string;
  readonly strategies: readonly string[];
  readonly from: string;
  readonly durationMs: number;
  readonly total: string;
  readonly return: Statistic;
  readonly sharpe: Statistic;
  readonly maxDrawdown: Statistic;
  readonly turnover: string;
  readonly returnOnTurnoverBps: Statistic;
  readonly fills: number;
  readonly winRate: Statistic;
  readonly profitFactor: Statistic;
  readonly orderToTradeRatio: Statistic;
  readonly residual: string;
}

/** See the module. */
export interface RunsDocument {
  /** Name of the document. */
  readonly schema: 'ballast-report-runs';
  /** Version of the document. */
  readonly version: 1;
  readonly runs: readonly RunsRow[];
  /** Values of configurations that are not the same in all; `null`: a run does not have it. */
  readonly parameters: readonly { readonly name: string; readonly values: readonly (string | null)[] }[];
}

/** Several runs side by side, in the order given. */
export function jsonOfRuns(records: readonly RunRecord[]): RunsDocument {
  const names = new Set(records.flatMap(({ parameters }) => Object.keys(parameters)));
  return {
    schema: 'ballast-report-runs',
    version: 1,
    runs: records.map((record) => {
      const { run, pnl, returns, orders, fills, roundTrips } = reportOf(record);
      const [trips] = roundTrips.rows;
      return {
        ...{ run: run.runId, strategies: run.strategies, from: run.from, durationMs: run.durationMs },
        ...{
          total: pnl.total,
          return: returns.total,
          sharpe: returns.sharpe,
          maxDrawdown: returns.maxDrawdown,
        },
        ...{ turnover: pnl.turnover, returnOnTurnoverBps: pnl.returnOnTurnoverBps },
        fills: fills.maker.fills + fills.taker.fills,
        ...{ winRate: trips?.winRate ?? null, profitFactor: trips?.profitFactor ?? null },
        ...{ orderToTradeRatio: orders.orderToTradeRatio, residual: pnl.residual },
      };
    }),
    parameters: [...names]
      .map((name) => ({ name, values: records.map(({ parameters }) => parameters[name] ?? null) }))
      .filter(({ values }) => new Set(values).size > 1),
  };
}

const HEAD = [
  ...['run', 'strategies', 'PnL', 'return', 'Sharpe', 'max drawdown', 'turnover', 'on turnover', 'fills'],
  ...['win rate', 'profit factor', 'orders a fill', 'residual'],
];

function cellsOf(row: RunsRow): readonly string[] {
  return [
    ...[row.run, row.strategies.join(', '), signed(row.total), percent(row.return, 4), about(row.sharpe)],
    ...[percent(row.maxDrawdown, 4), grouped(row.turnover), bps(row.returnOnTurnoverBps)],
    ...[grouped(String(row.fills)), percent(row.winRate, 1), plain(row.profitFactor)],
    ...[plain(row.orderToTradeRatio), row.residual],
  ];
}

/** Several runs as text. */
export function describeRuns({ runs, parameters }: RunsDocument): string {
  return [
    ...runs.flatMap((row) => {
      const [name = '', ...cells] = cellsOf(row);
      return [
        labeledText('run', name, 14),
        labeledText('', cells.map((cell, at) => `${HEAD[at + 1]} ${cell}`).join(', '), 14),
      ];
    }),
    ...parameters.map(({ name, values }) =>
      labeledText('differs', `${name}: ${values.map((value) => value ?? '–').join(', ')}`, 14),
    ),
  ].join('\n');
}

/** Several runs as one page: their growth over each other, their statistics, what differs in their configurations. */
export function htmlOfRuns(records: readonly RunRecord[]): string {
  const { runs, parameters } = jsonOfRuns(records);
  const lines = records.map(({ samples, runId }) => ({
    name: runId,
    points: [...thinned(samples.equity, POINTS_MAX)].map((at) => ({
      x: ((samples.atMs[at] ?? 0) - (samples.atMs[0] ?? 0)) / HOUR_MS,
      y: ((samples.equity[at] ?? 0) / (samples.equity[0] ?? 1) - 1) * 100,
    })),
  }));
  const keys = runs.map(
    ({ run }, at) =>
      `<span><i class="key" style="background:var(--${COLORS[at % COLORS.length]})"></i>${escaped(run)}</span>`,
  );
  const differing = parameters.map(({ name, values }) => [name, ...values.map((value) => value ?? '–')]);
  return plainPage(
    `${runs.length} runs`,
    `<p class="keys">${keys.join(' ')}</p>
${lineChart(lines, ['hours since the beginning', 'return, %'])}
<h2>Statistics</h2>
${table(HEAD, runs.map(cellsOf))}
<h2>What differs in their configurations</h2>
${differing.length === 0 ? '<p class="soft">Nothing.</p>' : table(['value', ...runs.map(({ run }) => run)], differing, runs.length + 1)}`,
  );
}
