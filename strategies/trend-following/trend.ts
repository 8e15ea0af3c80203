/**
 * @module
 * The direction of a market from closed bars: a fast exponential mean of closes against a slow one, with a band in which
 * the last direction holds. What this does not do: sizes, orders.
 */
import { Ema } from 'ballast/strategy';

/** 1: up, -1: down, 0: not known yet. */
export type Direction = 1 | 0 | -1;

/** Of one market. */
export class Trend {
  readonly #fast: Ema;
  readonly #slow: Ema;
  readonly #slowBars: number;
  #direction: Direction = 0;

  /** Lengths in bars; the slow one is the longer one. */
  constructor({ fastBars, slowBars }: { readonly fastBars: number; readonly slowBars: number }) {
    this.#fast = new Ema(fastBars);
    this.#slow = new Ema(slowBars);
    this.#slowBars = slowBars;
  }

  /** Takes in the close of a bar; the means must differ by `bandPpm` to turn the direction. */
  observe(close: number, bandPpm: number): Direction {
    const fast = this.#fast.observe(close);
    const slow = this.#slow.observe(close);
    if (this.#slow.count < this.#slowBars) return 0;
    const differencePpm = (fast / slow - 1) * 1_000_000;
    if (differencePpm > bandPpm) this.#direction = 1;
    if (differencePpm < -bandPpm) this.#direction = -1;
    return this.#direction;
  }

  get direction(): Direction {
    return this.#direction;
  }
}
