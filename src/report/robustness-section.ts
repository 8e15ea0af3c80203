/** @module A study of robustness for people: the section of the page, and the table of the terminal. */
import type { RobustnessKind } from '../domain/index.ts';
import { table, words } from './html-parts.ts';
import type { RobustnessDocument, RobustnessKindDocument } from './robustness.ts';
import { bandChart } from './svg.ts';
import { about, counted, NOTHING, percent, signed } from './words.ts';

const NAMES: Readonly<Record<RobustnessKind, string>> = {
  parameters: 'parameters',
  delays: 'delays',
  missedFills: 'missed fills',
};
const QUANTILES = ['p5', 'p25', 'median', 'p75', 'p95'] as const;
/** Width of a column of the terminal's table: it ends at column 80. */
const COLUMN = 9;

/** The section of the page; without a study nothing. */
export function robustnessSection(robustness: RobustnessDocument | null): string {
  if (robustness === null) return '';
  const { actual, kinds, unmoved } = robustness;
  const rowsOf = (bandsOf: (kind: RobustnessKindDocument) => readonly (number | null)[]) =>
    kinds.flatMap((kind) => {
      const bands = bandsOf(kind).filter((value) => value !== null);
      return bands.length < QUANTILES.length ? [] : [{ name: NAMES[kind.kind], bands }];
    });
  const profits = rowsOf(({ pnl }) => QUANTILES.map((one) => (pnl === null ? null : Number(pnl[one]))));
  const falls = rowsOf(({ drawdown }) => QUANTILES.map((one) => percentOf(drawdown?.[one] ?? null)));
  const charts = [
    bandChart(profits, { value: Number(actual.pnl), text: `this run ${signed(actual.pnl)}` }, 'PnL'),
    bandChart(
      falls,
      { value: percentOf(actual.drawdown) ?? 0, text: `this run ${percent(actual.drawdown, 4)}` },
      'max drawdown, %',
    ),
  ];
  const head = ['', ...QUANTILES.map((one) => `PnL ${one}`), 'runs that lost'];
  const heads = [...head, ...QUANTILES.map((one) => `drawdown ${one}`), 'runs', 'failures'];
  const rows = kinds.map(({ kind, pnl, drawdown, lossProbability, runs, failures }) => [
    ...[NAMES[kind], ...QUANTILES.map((one) => (pnl === null ? NOTHING : signed(pnl[one])))],
    ...[percent(lossProbability, 1), ...QUANTILES.map((one) => percent(drawdown?.[one] ?? null, 4))],
    ...[String(runs.length), String(failures)],
  ]);
  return `<h2 id="robustness">Robustness</h2>
<p class="soft">The same backtest again, each run a little different; seed ${robustness.seed}. Line: 5 % to 95 % of the runs, box: 25 % to 75 %, stroke: median.</p>
${profits.length === 0 ? '' : charts[0]}
${falls.length === 0 ? '' : charts[1]}
${table(heads, rows, 1)}
${words([
  ...kinds.map(({ kind, assumption }) => [NAMES[kind], assumption] as const),
  ...failuresOf(kinds).map(([name, text]) => [`${name} failed`, text] as const),
  ...(unmoved.length === 0 ? [] : [['not moved', unmovedText(robustness)] as const]),
])}`;
}

/** The study as lines of a name and a text of at most 66 columns, or of one that may be wrapped. */
export function robustnessLines(
  robustness: RobustnessDocument | null,
): readonly (readonly [name: string, text: string])[] {
  if (robustness === null) return [];
  const { seed, actual, kinds } = robustness;
  const most = Math.max(...kinds.map(({ runs }) => runs.length));
  const row = (cells: readonly string[]) =>
    cells.map((cell, at) => cell.padStart(at < QUANTILES.length ? COLUMN : COLUMN + 1)).join('');
  return [
    ['robustness', `PnL of ${counted(most, 'run')} a kind (seed ${seed}); drawdown: p95`],
    ['', row([...QUANTILES, 'lost', 'drawdown'])],
    ['  this run', row(['', '', profitText(actual.pnl), '', '', '', percent(actual.drawdown)])],
    ...kinds.map(({ kind, pnl, drawdown, lossProbability }) => {
      const cells = QUANTILES.map((one) => (pnl === null ? NOTHING : profitText(pnl[one])));
      return [
        `  ${NAMES[kind]}`,
        row([...cells, percent(lossProbability, 0), percent(drawdown?.p95 ?? null)]),
      ] as const;
    }),
    ...failuresOf(kinds).map(([name, text]) => ['  failed', `${name}: ${text}`] as const),
    ...(robustness.unmoved.length === 0 ? [] : [['  not moved', unmovedText(robustness)] as const]),
  ];
}

function percentOf(fraction: number | null): number | null {
  return fraction === null ? null : fraction * 100;
}

/** An amount with four digits that count, and its sign. */
function profitText(amount: string): string {
  return signed(about(Number(amount)));
}

/** Of each kind with failures how many there are, and the first. */
function failuresOf(kinds: RobustnessDocument['kinds']): readonly (readonly [string, string])[] {
  return kinds.flatMap(({ kind, failures, runs }) => {
    const first = runs.findIndex(({ failure }) => failure !== null);
    return failures === 0
      ? []
      : [[NAMES[kind], `${counted(failures, 'run')}; run ${first + 1}: ${runs[first]?.failure}`] as const];
  });
}

function unmovedText({ unmoved }: RobustnessDocument): string {
  return unmoved.map(({ parameter, why }) => `${parameter} (${why})`).join(', ');
}
