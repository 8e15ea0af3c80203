/** @module The deepest drawdowns, rolling statistics, and the market's own return beside that of the run. */
import type { RunRecord } from '../domain/index.ts';
import { annualizedVolatility, type Statistic, sharpe } from './metrics.ts';
import { deepestFallOf, hasAnnualFigures, type Returns, returnsOf } from './series.ts';
import { timeText } from './times.ts';
import { rounded } from './words.ts';

/** How many drawdowns the table has. */
const DRAWDOWNS_MAX = 5;
/** A rolling window is this share of the returns, and at least {@link WINDOW_MIN} of them. */
const WINDOW_SHARE = 0.2;
const WINDOW_MIN = 30;
/** How many points a rolling statistic has at most. */
const POINTS_MAX = 400;
/** Pairs of returns that beta and correlation need. */
const PAIRS_MIN = 30;

/** A time below the highest equity so far. */
export interface DrawdownDocument {
  /** First sample below the highest. */
  readonly begin: string;
  /** Deepest sample. */
  readonly trough: string;
  /** First sample that is as high again; `null`: the run ended before. */
  readonly recovery: string | null;
  /** Fraction of the highest, below 0. */
  readonly depth: Statistic;
  /** From `begin` to `recovery` or to the end, ms. */
  readonly lengthMs: number;
}

/** The deepest times below the highest equity, the deepest first. */
export function drawdownsOf({ samples }: RunRecord): readonly DrawdownDocument[] {
  const { equity, atMs } = samples;
  const all: { begin: number; trough: number; end: number; depth: number; isOver: boolean }[] = [];
  let peak = Number.NEGATIVE_INFINITY;
  let current: (typeof all)[number] | undefined;
  for (const [at, value] of equity.entries()) {
    if (value >= peak) {
      if (current !== undefined) Object.assign(current, { end: at, isOver: true });
      current = undefined;
      peak = value;
      continue;
    }
    const depth = peak > 0 ? (value - peak) / peak : Number.NaN;
    if (current === undefined) {
      current = { begin: at, trough: at, end: at, depth, isOver: false };
      all.push(current);
    }
    if (depth < current.depth) Object.assign(current, { trough: at, depth });
    current.end = at;
  }
  const time = (at: number) => timeText(atMs[at] ?? 0);
  return all
    .sort((a, b) => a.depth - b.depth || a.begin - b.begin)
    .slice(0, DRAWDOWNS_MAX)
    .map(({ begin, trough, end, depth, isOver }) => ({
      ...{ begin: time(begin), trough: time(trough), recovery: isOver ? time(end) : null },
      ...{ depth: rounded(depth), lengthMs: (atMs[end] ?? 0) - (atMs[begin] ?? 0) },
    }));
}

/** Sharpe and volatility over the last returns. */
export interface RollingDocument {
  /** Number of returns in a window. */
  readonly window: number;
  /** At the end of each window, of long runs of every n-th. */
  readonly points: readonly {
    readonly at: string;
    readonly sharpe: Statistic;
    readonly volatility: Statistic;
  }[];
}

/** Rolling statistics; `null`: the run is too short for annual figures. */
export function rollingOf({ samples }: RunRecord): RollingDocument | null {
  if (!hasAnnualFigures(samples)) return null;
  const { values, atMs, periodsPerYear } = returnsOf(samples);
  const window = Math.max(WINDOW_MIN, Math.round(values.length * WINDOW_SHARE));
  const count = values.length - window + 1;
  if (count < 2) return null;
  const step = Math.ceil(count / POINTS_MAX);
  const points: RollingDocument['points'][number][] = [];
  for (let end = values.length; end >= window; end -= step) {
    const part = values.subarray(end - window, end);
    points.push({
      at: timeText(atMs[end - 1] ?? 0),
      sharpe: rounded(sharpe(part, { periodsPerYear })),
      volatility: rounded(annualizedVolatility(part, { periodsPerYear })),
    });
  }
  return { window, points: points.reverse() };
}

/** What a market did itself, and what the run has to do with it. */
export interface BenchmarkDocument {
  readonly symbol: string;
  /** Last mid / first mid - 1. */
  readonly total: Statistic;
  /** Of the mid. */
  readonly maxDrawdown: Statistic;
  /** cov(run, market) / var(market) of returns of the same periods; `null`: too few. */
  readonly beta: Statistic;
  readonly correlation: Statistic;
}

/** Each market held from the first known mid to the last. */
export function benchmarkOf({ samples, markets }: RunRecord): readonly BenchmarkDocument[] {
  const returns = returnsOf(samples);
  return markets.map(({ symbol }, place) => {
    const all = samples.midTicks[place] ?? new Float64Array();
    const mids = all.filter((mid) => !Number.isNaN(mid));
    return {
      symbol,
      total: rounded((mids.at(-1) ?? Number.NaN) / (mids[0] ?? Number.NaN) - 1),
      maxDrawdown: mids.length === 0 ? null : rounded(deepestFallOf(mids)),
      ...together(returns, all),
    };
  });
}

function together(
  { values, places }: Returns,
  mids: Float64Array,
): Pick<BenchmarkDocument, 'beta' | 'correlation'> {
  const pairs = Array.from(values, (own, at) => {
    const [before = Number.NaN, after = Number.NaN] = [mids[places[at] ?? 0], mids[places[at + 1] ?? 0]];
    return [own, after / before - 1] as const;
  }).filter(([own, market]) => !Number.isNaN(own + market));
  if (pairs.length < PAIRS_MIN) return { beta: null, correlation: null };
  const mean = (of: (pair: (typeof pairs)[number]) => number) =>
    pairs.reduce((sum, pair) => sum + of(pair), 0) / pairs.length;
  const [own, market] = [mean(([one]) => one), mean(([, one]) => one)];
  const covariance = mean(([a, b]) => (a - own) * (b - market));
  const [spread, marketSpread] = [mean(([a]) => (a - own) ** 2), mean(([, b]) => (b - market) ** 2)];
  return {
    beta: rounded(covariance / marketSpread),
    correlation: rounded(covariance / Math.sqrt(spread * marketSpread)),
  };
}
