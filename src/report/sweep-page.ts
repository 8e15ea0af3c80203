/** @module A sweep as one page: its rows, its Pareto front, parallel coordinates, and each window in training and test. */
import { escaped, table } from './html-parts.ts';
import { plainPage } from './html-plain.ts';
import { parallelChart, pointChart } from './svg.ts';
import type { SweepDocument, SweepDocumentRow } from './sweep-document.ts';
import { about, counted, grouped } from './words.ts';

/** How many rows the table and the charts have at most. */
const ROWS_MAX = 500;

type Objective = SweepDocument['objectives'][number];

/** The value of an objective so that more is better. */
function gainOf(row: SweepDocumentRow, { statistic, better }: Objective): number {
  const value = row.statistics?.[statistic] ?? null;
  if (value === null) return Number.NEGATIVE_INFINITY;
  return better === 'higher' ? value : -value;
}

/** Rows that no other row of their window beats in one objective without losing in another, failures left out. */
export function paretoFrontOf({ rows, objectives }: SweepDocument): readonly SweepDocumentRow[] {
  const known = rows.filter(({ statistics, failure }) => statistics !== null && failure === null);
  const gains = new Map(known.map((row) => [row, objectives.map((one) => gainOf(row, one))]));
  const beats = (a: readonly number[], b: readonly number[]) =>
    a.every((gain, at) => gain >= (b[at] ?? 0)) && a.some((gain, at) => gain > (b[at] ?? 0));
  return known.filter(
    (row) =>
      !known.some(
        (other) => other.window === row.window && beats(gains.get(other) ?? [], gains.get(row) ?? []),
      ),
  );
}

/** The page of a sweep. */
export function htmlOfSweep(document: SweepDocument): string {
  const { axes, objectives, rows, windows, tape, method } = document;
  const [first, second] = objectives;
  const front = new Set(paretoFrontOf(document));
  const paths = axes.map(({ path }) => path);
  const extra = ['pnl', 'maxDrawdown', 'fills', 'turnover', 'returnOnTurnoverBps'];
  const names = [...new Set([...objectives.map(({ statistic }) => statistic), ...extra])];
  const nameOf = (row: SweepDocumentRow) =>
    [
      ...paths.map((path) => `${path} ${row.parameters[path] ?? ''}`),
      ...names.map((name) => `${name} ${about(row.statistics?.[name] ?? null)}`),
    ].join(', ');
  const best = rows
    .filter(({ statistics }) => statistics !== null)
    .toSorted((a, b) => (first === undefined ? 0 : gainOf(b, first) - gainOf(a, first)))
    .slice(0, ROWS_MAX);
  const points = best.flatMap((row) => {
    const [x, y] = [
      row.statistics?.[second?.statistic ?? 'maxDrawdown'],
      row.statistics?.[first?.statistic ?? 'pnl'],
    ];
    return typeof x === 'number' && typeof y === 'number'
      ? [{ x, y, name: nameOf(row), isLarge: front.has(row) }]
      : [];
  });
  const varied = axes.filter(({ values }) => values.length > 1);
  const upright = [...varied.map(({ path }) => path), ...objectives.map(({ statistic }) => statistic)];
  const lines = best
    .filter((row) => objectives.every(({ statistic }) => typeof row.statistics?.[statistic] === 'number'))
    .map((row) => ({
      values: [
        ...varied.map(({ path, values }) => numberOf(row.parameters[path] ?? '', values)),
        ...objectives.map(({ statistic }) => row.statistics?.[statistic] ?? 0),
      ],
      ...{ name: nameOf(row), isStrong: front.has(row) },
    }));
  const cells = (row: SweepDocumentRow) => [
    ...[front.has(row) ? '●' : '', String(row.window), ...paths.map((path) => row.parameters[path] ?? '')],
    ...names.map((name) => about(row.statistics?.[name] ?? null)),
    row.failure ?? row.error ?? '',
  ];
  const failed = rows.filter(({ error, failure }) => error !== null || failure !== null).length;
  return plainPage(
    `Sweep over ${tape.name}`,
    `<p class="soft">${escaped(`${counted(rows.length, 'backtest')} (${method}), ${grouped(String(failed))} failed; objectives: ${objectives.map(({ statistic, better }) => `${statistic} (${better} is better)`).join(', ')}`)}</p>
${points.length === 0 ? '' : `<h2>Pareto front</h2>\n<p class="soft">Large: no other combination of the window is better in one objective without being worse in another.</p>\n${pointChart(points, [second?.statistic ?? 'maxDrawdown', first?.statistic ?? 'pnl'])}`}
${lines.length === 0 || upright.length < 2 ? '' : `<h2>Parallel coordinates</h2>\n${parallelChart(upright, lines)}`}
${windowSection(windows, names, paths)}
<h2>Combinations${best.length < rows.length ? `, the best ${best.length} of ${rows.length}` : ''}</h2>
${table(['front', 'window', ...paths, ...names, 'failure'], best.map(cells), 1)}`,
  );
}

/** A parameter as a number: itself, or its place among the values. */
function numberOf(text: string, values: readonly string[]): number {
  const value = Number(text);
  return text === '' || Number.isNaN(value) ? values.indexOf(text) : value;
}

function windowSection(
  windows: SweepDocument['windows'],
  names: readonly string[],
  paths: readonly string[],
): string {
  const tested = windows.filter(({ outOfSample }) => outOfSample !== null);
  if (tested.length === 0) return '';
  const head = ['window', ...paths, ...names.flatMap((name) => [`${name}, train`, 'test'])];
  const rows = tested.map(({ window, best, outOfSample }) => [
    ...[String(window), ...paths.map((path) => best?.parameters[path] ?? '')],
    ...names.flatMap((name) => [
      about(best?.statistics?.[name] ?? null),
      about(outOfSample?.statistics?.[name] ?? null),
    ]),
  ]);
  return `<h2>Train against test</h2>\n<p class="soft">The best of each window, on the part that chose it and on the part that did not.</p>\n${table(head, rows, 1)}`;
}
