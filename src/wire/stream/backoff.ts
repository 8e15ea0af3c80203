/**
 * @module
 * Growing, jittered pauses between attempts (obligation O118).
 */
import type { Random } from '../../core/index.ts';

/** Pauses from `firstMs` doubling to `maxMs`, each cut by a random part of up to a half. */
export class Backoff {
  readonly #firstMs: number;
  readonly #maxMs: number;
  readonly #random: Random;
  #attempt = 0;

  constructor(options: { readonly firstMs: number; readonly maxMs: number; readonly random: Random }) {
    this.#firstMs = options.firstMs;
    this.#maxMs = options.maxMs;
    this.#random = options.random;
  }

  /** How many pauses were drawn since the last {@link reset}. */
  get attempts(): number {
    return this.#attempt;
  }

  /** The next pause in milliseconds. */
  next(): number {
    const cappedMs = Math.min(this.#maxMs, this.#firstMs * 2 ** Math.min(this.#attempt, 20));
    this.#attempt++;
    return cappedMs * (1 - this.#random.next() / 2);
  }

  /** Starts over after a success. */
  reset(): void {
    this.#attempt = 0;
  }
}
