/**
 * @module Outcome of a sweep as one plain document, and its best rows as text, its rows as CSV. Rows of one sweep are
 * in the order in which they were asked for, so the same sweep gives the same bytes.
 */
import { csvOf } from './csv.ts';
import { counted } from './words.ts';

/** One backtest of a sweep. */
export interface SweepDocumentRow {
  /** Key of the job. */
  readonly key: string;
  /** Index of the window, from 0. */
  readonly window: number;
  /** Parameters by name. */
  readonly parameters: Readonly<Record<string, string>>;
  /** Absent when it failed. */
  readonly statistics: Readonly<Record<string, number | null>> | null;
  /** Why Sharpe, Sortino and Calmar are `null`; `null`: the run is long enough, or failed. */
  readonly annualReason: string | null;
  /** How a strategy failed, never quoted or was held by a control: such a row is ranked last; `null`: none did. */
  readonly failure: string | null;
  /** What was denied, rejected and held, and times without quotes, by code; `null`: it did not run. */
  readonly course: Readonly<Record<string, Readonly<Record<string, number>>>> | null;
  /** Why the job failed; `null`: it succeeded. */
  readonly error: string | null;
  /** Hash of all decisions of the run; `null`: it failed. */
  readonly decisionHash: string | null;
}

/** A span of exchange time, Unix ms. */
interface SweepSpan {
  readonly fromMs: number;
  readonly toMs: number;
}

/** See the module. */
export interface SweepDocument {
  /** Name of the document. */
  readonly schema: 'ballast-sweep';
  /** Version of the document. */
  readonly version: 1;
  readonly tape: { readonly name: string; readonly hash: string };
  /** Search method. */
  readonly method: 'grid' | 'random' | 'nsga2';
  readonly axes: readonly { readonly path: string; readonly values: readonly string[] }[];
  readonly objectives: readonly { readonly statistic: string; readonly better: 'higher' | 'lower' }[];
  /** All backtests that parameters were chosen by. */
  readonly rows: readonly SweepDocumentRow[];
  /** Result of each walk-forward window. */
  readonly windows: readonly {
    readonly window: number;
    readonly train: SweepSpan;
    readonly test: SweepSpan | null;
    readonly best: SweepDocumentRow | null;
    /** The same parameters on the test part. */
    readonly outOfSample: SweepDocumentRow | null;
  }[];
}

/** Rows shown as text. */
const ROWS_SHOWN_MAX = 20;

/** The rows as CSV: window, parameters, statistics, error. */
export function sweepCsv({ axes, rows }: SweepDocument): string {
  const statistics = statisticNames(rows);
  const paths = axes.map(({ path }) => path);
  return csvOf(
    ['window', ...paths, ...statistics, 'failure', 'error'],
    rows.map((row) => [
      String(row.window),
      ...paths.map((path) => row.parameters[path] ?? ''),
      ...statistics.map((name) => row.statistics?.[name] ?? Number.NaN),
      row.failure ?? '',
      row.error ?? '',
    ]),
  );
}

/** The best rows by the first objective, and each window with its test, for a terminal. */
export function describeSweep(document: SweepDocument): string {
  const { axes, objectives, rows, windows } = document;
  const [first] = objectives;
  const isKnown = (name: string) => rows.some((row) => (row.statistics?.[name] ?? 0) !== 0);
  const course = ['denied', 'rejected', 'haltedSeconds', 'noQuoteSeconds'].filter(isKnown);
  const statistics = [
    ...new Set([...objectives.map(({ statistic }) => statistic), 'pnl', 'fills', ...course]),
  ];
  const head = ['window', ...axes.map(({ path }) => path), ...statistics];
  const cellsOf = (row: SweepDocumentRow): string[] => [
    String(row.window),
    ...axes.map(({ path }) => row.parameters[path] ?? ''),
    ...statistics.map((name) => shortText(row.statistics?.[name] ?? null)),
  ];
  const sorted = rows
    .filter((row) => row.statistics !== null)
    .sort(
      (a, b) =>
        Number(a.failure !== null) - Number(b.failure !== null) ||
        (first === undefined ? 0 : compare(a, b, first)),
    );
  const failed = rows.filter(({ error, failure }) => error !== null || failure !== null);
  const lines = [
    `${rows.length} backtests, ${failed.length} failed; best ${first?.statistic ?? ''} first${sorted.length > ROWS_SHOWN_MAX ? `, ${ROWS_SHOWN_MAX} of them` : ''}`,
    ...tableOf([head, ...sorted.slice(0, ROWS_SHOWN_MAX).map(cellsOf)]),
  ];
  const tested = windows.filter(({ outOfSample }) => outOfSample !== null);
  if (tested.length > 0) {
    lines.push('', 'chosen on the training part of each window, then run on its test part (out of sample)');
    lines.push(
      ...tableOf([
        head,
        ...tested.flatMap(({ outOfSample }) => (outOfSample === null ? [] : [cellsOf(outOfSample)])),
      ]),
    );
  }
  const short = rows.filter(({ annualReason }) => annualReason !== null);
  if (short.length > 0)
    lines.push('', `no annual figures of ${counted(short.length, 'backtest')}: ${short[0]?.annualReason}`);
  for (const { parameters, error, failure } of failed.slice(0, 3))
    lines.push(
      `failed: ${Object.entries(parameters)
        .map((pair) => pair.join(' = '))
        .join(', ')}: ${error ?? failure}`,
    );
  return lines.join('\n');
}

/** Names of statistics in the order of the first row that has some. */
function statisticNames(rows: readonly SweepDocumentRow[]): readonly string[] {
  return Object.keys(rows.find(({ statistics }) => statistics !== null)?.statistics ?? {});
}

function compare(
  a: SweepDocumentRow,
  b: SweepDocumentRow,
  { statistic, better }: SweepDocument['objectives'][number],
): number {
  const worst = better === 'higher' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  const [x, y] = [a.statistics?.[statistic] ?? worst, b.statistics?.[statistic] ?? worst];
  if (x === y) return 0;
  return (better === 'higher' ? x > y : x < y) ? -1 : 1;
}

function tableOf(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  return rows.map((row) => `  ${row.map((cell, at) => cell.padStart(widths[at] ?? 0)).join('  ')}`);
}

function shortText(value: number | null): string {
  if (value === null) return '-';
  return Number.isInteger(value) ? String(value) : value.toPrecision(6).replace(/\.?0+$/, '');
}
