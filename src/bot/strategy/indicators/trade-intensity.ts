/**
 * @module
 * How often trades reach how deep into the book, with exponential forgetting, and the curve λ(δ) = A exp(-k δ) through
 * it. O(depths) a trade; equal to the batch formula (tested). A sweep that prints several trades at one instant counts
 * once, as deep as it went.
 */
import { assert } from '../../../core/index.ts';

/** The curve of M. Avellaneda and S. Stoikov: λ(δ) = `intensity` exp(-`decay` δ), per second. */
export interface IntensityCurve {
  /** A: per second, at the mid. */
  readonly intensity: number;
  /** k: per unit of depth. */
  readonly decay: number;
}

/** Rates at fixed depths. */
export class TradeIntensity {
  readonly #depths: readonly number[];
  readonly #hits: Float64Array;
  readonly #halfLifeMs: number;
  #seconds = 0;
  #atMs: number | undefined;
  /** How deep trades of the newest instant went. */
  #reached = Number.NEGATIVE_INFINITY;

  /** @throws AssertionError unless the depths rise and the half-life is above zero. */
  constructor({ depths, halfLifeMs }: { readonly depths: readonly number[]; readonly halfLifeMs: number }) {
    assert(halfLifeMs > 0, `a half-life above zero, got ${halfLifeMs} ms`);
    assert(
      depths.every((depth, at) => at === 0 || depth > (depths[at - 1] ?? 0)),
      'depths that rise',
    );
    this.#depths = depths;
    this.#hits = new Float64Array(depths.length);
    this.#halfLifeMs = halfLifeMs;
  }

  /** Begins to count at `atMs`, or lets time pass without a trade. Time that steps back counts as no time, and continues from there. */
  advance(atMs: number): void {
    const elapsedMs = this.#atMs === undefined ? 0 : atMs - this.#atMs;
    if (this.#atMs !== undefined && elapsedMs <= 0) {
      this.#atMs = atMs;
      return;
    }
    const decay = 0.5 ** (elapsedMs / this.#halfLifeMs);
    for (let at = 0; at < this.#hits.length; at++) this.#hits[at] = (this.#hits[at] ?? 0) * decay;
    // The integral of the weights: the same however often time was let pass in between.
    this.#seconds = this.#seconds * decay + ((1 - decay) * this.#halfLifeMs) / Math.LN2 / 1_000;
    this.#atMs = atMs;
    this.#reached = Number.NEGATIVE_INFINITY;
  }

  /** Takes in a trade that went `depth` deep. */
  observe(depth: number, atMs: number): void {
    this.advance(atMs);
    for (let at = 0; at < this.#depths.length; at++) {
      const level = this.#depths[at] ?? 0;
      if (level > depth) break;
      if (level > this.#reached) this.#hits[at] = (this.#hits[at] ?? 0) + 1;
    }
    this.#reached = Math.max(this.#reached, depth);
  }

  /** Trades per second that reached each depth, `undefined` before any time has passed. */
  get perSecond(): readonly number[] | undefined {
    return this.#seconds > 0 ? Array.from(this.#hits, (hits) => hits / this.#seconds) : undefined;
  }

  /** Trades that the rate of each depth rests on, weighted: its standard error is one over the square root. */
  get hits(): readonly number[] {
    return Array.from(this.#hits);
  }
}

/**
 * The curve through rates at depths: least squares of their logarithms, each weighted by the trades it rests on, which
 * is one over the variance of its logarithm. `undefined` when fewer than two depths rest on `hitsMin` trades, or when
 * trades do not become rarer with depth.
 */
export function intensityCurveOf(
  points: readonly { readonly depth: number; readonly perSecond: number; readonly hits: number }[],
  hitsMin = 5,
): IntensityCurve | undefined {
  let [weight, depths, logs, squares, products, count] = [0, 0, 0, 0, 0, 0];
  for (const { depth, perSecond, hits } of points) {
    if (hits < hitsMin || perSecond <= 0) continue;
    const log = Math.log(perSecond);
    count++;
    weight += hits;
    depths += hits * depth;
    logs += hits * log;
    squares += hits * depth * depth;
    products += hits * depth * log;
  }
  const spread = weight * squares - depths * depths;
  if (count < 2 || spread <= 0) return undefined;
  const slope = (weight * products - depths * logs) / spread;
  if (slope >= 0) return undefined;
  return { intensity: Math.exp((logs - slope * depths) / weight), decay: -slope };
}
