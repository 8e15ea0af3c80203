/**
 * @module
 * G11: a crossing of price and moving average through the bar engine, beside grademark on the same bars with the same
 * trades and the same profit. grademark is given the mean and works out prices and trades; ours makes the mean itself,
 * and has a market, an account in whole quantums, limits, equity by bar. (backtrader: `npm run bench:peers`)
 */
import { type BarColumns, type BarRun, runBars } from '../../../src/research/bars/index.ts';
import { type GroupResult, type Limit, missed, reached } from '../../goal.ts';
import { compare, type Effort, loop, rounded } from '../../measure.ts';
import { installPeers, loadPeer } from '../../peers.ts';
import { showTable } from '../../show.ts';
import { averagesOf, BENCH_MARKET, crossRun, randomBars } from './bar-cross.ts';

const BARS = 20_000;
const PEER = 'grademark.backtest';
const OURS = 'ballast';
const LIMIT: Limit = {
  id: 'G11',
  what: 'bars a second of a moving-average cross, to grademark, same trades and profit',
  limit: 2,
  better: 'higher',
};

interface Grademark {
  backtest(strategy: object, frame: object): readonly { readonly profit: number }[];
}

interface DataForge {
  readonly DataFrame: new (rows: readonly object[]) => object;
}

/** Measures G11. */
export async function bars(effort: Effort): Promise<GroupResult> {
  const absent = installPeers();
  if (absent !== undefined) return { goals: [missed(LIMIT, absent)], figures: {} };
  const { backtest } = await loadPeer<Grademark>('grademark');
  const { DataFrame } = await loadPeer<DataForge>('data-forge');
  const made = randomBars(BARS);
  const frame = new DataFrame(rowsOf(made));
  const peer = () => backtest(CROSS, frame);
  const ours = () => runBars(crossRun(made));
  const [expected, was] = [figuresOf(peer()), ourFigures(ours())];
  if (was.trades !== expected.trades || was.profitTicks !== expected.profitTicks || was.residual !== 0n)
    return {
      goals: [missed(LIMIT, `expected ${shown(expected)} as the peer, got ${shown(was)}`)],
      figures: {},
    };
  const samples = await compare({ [PEER]: loop(peer), [OURS]: loop(ours) }, effort);
  showTable(`G11 a run (${BARS} bars, ${shown(expected)} both)`, samples.rows(PEER));
  return {
    goals: [reached(LIMIT, samples.ratio(PEER, OURS))],
    figures: Object.fromEntries(
      samples.names().map((name) => [`G11 ${name}, M bars/s`, rounded(BARS / samples.median(name))]),
    ),
  };
}

/** Long above the average: seen at a bar, done at the next one's open. */
const CROSS = {
  entryRule: (enter: () => void, { bar }: { readonly bar: { close: number; average: number } }) => {
    if (bar.close > bar.average) enter();
  },
  exitRule: (exit: () => void, { bar }: { readonly bar: { close: number; average: number } }) => {
    if (bar.close < bar.average) exit();
  },
};

/** grademark ends what is open at the last close, as ours values it. */
function figuresOf(trades: ReturnType<Grademark['backtest']>) {
  return { trades: trades.length, profitTicks: trades.reduce((sum, { profit }) => sum + profit, 0) };
}

function ourFigures({ trades, equityEnd, equityStart, residual }: BarRun) {
  const profitTicks = Number((equityEnd - equityStart) / BENCH_MARKET.quantumsPerTickLot);
  return { trades: trades.openBar.length, profitTicks, residual };
}

function shown({ trades, profitTicks }: { readonly trades: number; readonly profitTicks: number }): string {
  return `${trades} trades with ${profitTicks} ticks`;
}

function rowsOf(bars: BarColumns): readonly object[] {
  const averages = averagesOf(bars);
  const { openUs, open, high, low, close, volume } = bars;
  return Array.from(openUs, (us, at) => ({
    time: new Date(us / 1_000),
    ...{ open: open[at], high: high[at], low: low[at], close: close[at], volume: volume[at] },
    average: averages[at],
  }));
}
