/** @module Exponential moving average over a count of values, as charts draw it: O(1) a value. */
import { assert } from '../../../core/index.ts';

/** A mean in which each value weighs 2 / (`length` + 1) when it comes; the first one is the start. */
export class Ema {
  readonly #alpha: number;
  #value: number | undefined;
  #count = 0;

  /** @throws AssertionError unless `length` is an integer above zero. */
  constructor(length: number) {
    assert(Number.isSafeInteger(length) && length > 0, `a length above zero, got ${length}`);
    this.#alpha = 2 / (length + 1);
  }

  /** The mean, `undefined` before the first value. */
  get value(): number | undefined {
    return this.#value;
  }

  /** How many values were taken in. */
  get count(): number {
    return this.#count;
  }

  /** Takes a value in. */
  observe(value: number): number {
    this.#value = this.#value === undefined ? value : this.#value + this.#alpha * (value - this.#value);
    this.#count++;
    return this.#value;
  }
}
