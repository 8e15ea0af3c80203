/**
 * @module
 * Volatility estimated on-line from a price: the square root of the mean squared change per second, with exponential
 * forgetting. O(1) an observation; equal to the batch formula (tested).
 */
import { assert } from '../../../core/index.ts';

/** An estimator in units of the price per square root of a second. */
export class Volatility {
  readonly #halfLifeMs: number;
  #weightedSquares = 0;
  #weightedSeconds = 0;
  #last: { readonly value: number; readonly atMs: number } | undefined;
  #count = 0;

  constructor(halfLifeMs: number) {
    assert(halfLifeMs > 0, `a half-life above zero, got ${halfLifeMs} ms`);
    this.#halfLifeMs = halfLifeMs;
  }

  /** How many changes were taken in. */
  get count(): number {
    return this.#count;
  }

  /** The estimate, `undefined` before the first change over time. */
  get perSqrtSecond(): number | undefined {
    return this.#weightedSeconds > 0 ? Math.sqrt(this.#weightedSquares / this.#weightedSeconds) : undefined;
  }

  /** Takes a price in. Several at one instant count as the last of them. */
  observe(value: number, atMs: number): void {
    const last = this.#last;
    const elapsedMs = last === undefined ? 0 : atMs - last.atMs;
    if (last === undefined || elapsedMs < 0) {
      this.#last = { value, atMs };
      return;
    }
    if (elapsedMs === 0) return;
    const decay = 0.5 ** (elapsedMs / this.#halfLifeMs);
    this.#weightedSquares = this.#weightedSquares * decay + (value - last.value) ** 2;
    this.#weightedSeconds = this.#weightedSeconds * decay + elapsedMs / 1_000;
    this.#last = { value, atMs };
    this.#count++;
  }
}
