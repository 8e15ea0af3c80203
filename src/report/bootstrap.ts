/**
 * @module
 * How much of a profit is luck of the order in which it came: a circular block bootstrap of the profits of the periods of
 * `returns`. Blocks of neighbors are drawn with replacement until they are as long as the run, which keeps what neighbors
 * have to do with each other. Seeded: the same record gives the same bands.
 */
import { formatScaled, seededRandom } from '../core/index.ts';
import type { RunRecord } from '../domain/index.ts';
import { quantileOf } from './histogram.ts';
import type { Statistic } from './metrics.ts';
import { returnsOf } from './series.ts';
import { rounded } from './words.ts';

const RESAMPLES = 1_000;
/** Fewer periods than this say nothing. */
const PERIODS_MIN = 30;

/** Bands of the profit over resampled runs. */
export interface BootstrapDocument {
  readonly method: 'circular block bootstrap';
  readonly resamples: number;
  /** Periods of a block: about the square root of all. */
  readonly blockLength: number;
  /** Quantiles of the profit as decimal text. */
  readonly p5: string;
  readonly p25: string;
  readonly median: string;
  readonly p75: string;
  readonly p95: string;
  /** Share of the resampled runs that lost. */
  readonly lossProbability: Statistic;
}

/** The bands; `null`: too few periods. */
export function bootstrapOf({ samples, seed, collateralDecimals }: RunRecord): BootstrapDocument | null {
  const { places } = returnsOf(samples);
  const count = places.length - 1;
  if (count < PERIODS_MIN) return null;
  const blockLength = Math.max(1, Math.round(Math.sqrt(count)));
  // Sums of the profits up to each period, once around and on: a block is a difference of two.
  const sums = new Float64Array(count + blockLength + 1);
  for (let at = 0; at < sums.length - 1; at++) {
    const [from, to] = [places[at % count] ?? 0, places[(at % count) + 1] ?? 0];
    sums[at + 1] = (sums[at] ?? 0) + (samples.equity[to] ?? 0) - (samples.equity[from] ?? 0);
  }
  const random = seededRandom(`bootstrap ${seed}`);
  const totals = Array.from({ length: RESAMPLES }, () => {
    let total = 0;
    for (let left = count; left > 0; left -= blockLength) {
      const begin = random.integer(0, count - 1);
      total += (sums[begin + Math.min(left, blockLength)] ?? 0) - (sums[begin] ?? 0);
    }
    return total;
  }).sort((a, b) => a - b);
  const at = (share: number) =>
    formatScaled(BigInt(Math.round(quantileOf(totals, share))), collateralDecimals);
  return {
    ...{ method: 'circular block bootstrap', resamples: RESAMPLES, blockLength },
    ...{ p5: at(0.05), p25: at(0.25), median: at(0.5), p75: at(0.75), p95: at(0.95) },
    lossProbability: rounded(totals.filter((total) => total < 0).length / RESAMPLES),
  };
}
