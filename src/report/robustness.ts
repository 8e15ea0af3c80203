/**
 * @module
 * A study of robustness as bands: for each kind of disturbance the quantiles of profit and drawdown over its runs, beside
 * the actual run. Quantiles are values of runs (`quantileOf`); a run that did not run is in none and is counted.
 */
import { formatScaled } from '../core/index.ts';
import { type DisturbedRun, type RobustnessKind, type RunRecord, totalOf } from '../domain/index.ts';
import { quantileOf } from './histogram.ts';
import type { Statistic } from './metrics.ts';
import { deepestFallOf } from './series.ts';
import { rounded } from './words.ts';

/** Quantiles; of amounts as decimal text. */
export interface Bands<Value> {
  readonly p5: Value;
  readonly p25: Value;
  readonly median: Value;
  readonly p75: Value;
  readonly p95: Value;
}

/** The runs of one kind. */
export interface RobustnessKindDocument {
  readonly kind: RobustnessKind;
  /** What was done to the runs. */
  readonly assumption: string;
  /** Profit; `null`: no run ran. */
  readonly pnl: Bands<string> | null;
  /** Depth of the deepest drawdown as a fraction of equity, not below 0; `null`: no run ran. */
  readonly drawdown: Bands<Statistic> | null;
  /** Share of the runs that lost; `null`: no run ran. */
  readonly lossProbability: Statistic;
  /** Runs that did not run, or whose strategy failed, never quoted or was held. */
  readonly failures: number;
  /** Each run, in the order of its draws. */
  readonly runs: readonly (Omit<DisturbedRun, 'profit'> & { readonly pnl: string | null })[];
}

/** See the module. */
export interface RobustnessDocument {
  /** Seed of all draws: that of the run. */
  readonly seed: number;
  /** The run itself. */
  readonly actual: { readonly pnl: string; readonly drawdown: Statistic };
  readonly kinds: readonly RobustnessKindDocument[];
  /** Parameters that noise does not move, and why. */
  readonly unmoved: readonly { readonly parameter: string; readonly why: string }[];
}

/** The bands; `null`: the record has no study. */
export function robustnessDocumentOf(record: RunRecord): RobustnessDocument | null {
  const { robustness, collateralDecimals, pnl, samples } = record;
  if (robustness === undefined) return null;
  const money = (amount: bigint) => formatScaled(amount, collateralDecimals);
  return {
    seed: robustness.seed,
    actual: { pnl: money(totalOf(pnl)), drawdown: rounded(Math.abs(deepestFallOf(samples.equity))) },
    kinds: robustness.kinds.map(({ runs, ...kind }) => {
      const profits = runs.flatMap(({ profit }) => profit ?? []).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
      const falls = runs.flatMap(({ drawdown }) => drawdown ?? []).sort((a, b) => a - b);
      return {
        ...kind,
        pnl: profits.length === 0 ? null : bandsOf((share) => money(at(profits, share))),
        drawdown: falls.length === 0 ? null : bandsOf((share) => rounded(quantileOf(falls, share))),
        lossProbability: rounded(profits.filter((one) => one < 0n).length / profits.length),
        failures: runs.filter(({ failure }) => failure !== null).length,
        runs: runs.map(({ profit, ...run }) => ({ pnl: profit === null ? null : money(profit), ...run })),
      };
    }),
    unmoved: robustness.unmoved,
  };
}

function bandsOf<Value>(valueAt: (share: number) => Value): Bands<Value> {
  return {
    ...{ p5: valueAt(0.05), p25: valueAt(0.25), median: valueAt(0.5) },
    ...{ p75: valueAt(0.75), p95: valueAt(0.95) },
  };
}

/** The amount at that place, exactly. */
function at(sorted: readonly bigint[], share: number): bigint {
  const places = sorted.map((_one, place) => place);
  return sorted[quantileOf(places, share)] ?? 0n;
}
