/** @module Exponentially weighted mean over time: O(1) an observation, right for uneven spacing. */
import { assert } from '../../../core/index.ts';

/** A mean in which an observation's weight halves every `halfLifeMs`. */
export class Ewma {
  readonly #halfLifeMs: number;
  #value: number | undefined;
  #atMs = 0;

  constructor(halfLifeMs: number) {
    assert(halfLifeMs > 0, `a half-life above zero, got ${halfLifeMs} ms`);
    this.#halfLifeMs = halfLifeMs;
  }

  /** The mean, `undefined` before the first observation. */
  get value(): number | undefined {
    return this.#value;
  }

  /** Takes an observation in. Time that steps back counts as no time, and continues from there. */
  observe(value: number, atMs: number): number {
    const decay = 0.5 ** (Math.max(0, atMs - this.#atMs) / this.#halfLifeMs);
    this.#value = this.#value === undefined ? value : value + (this.#value - value) * decay;
    this.#atMs = atMs;
    return this.#value;
  }
}
