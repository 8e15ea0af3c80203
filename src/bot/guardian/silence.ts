/**
 * @module
 * How long another process has been silent, in time that this process was awake itself: a machine that was suspended, or
 * has no time for either of the two, is no sign that the other one hangs.
 */
import type { Clock } from '../../core/index.ts';

/** See the module. {@link Silence.look} is to be called every `periodMs`. */
export class Silence {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  readonly #periodMs: number;
  #lookedAtMs: number;
  #silentMs = 0;

  /** Begins to count now. */
  constructor(clock: Pick<Clock, 'monotonicMs'>, periodMs: number) {
    this.#clock = clock;
    this.#periodMs = periodMs;
    this.#lookedAtMs = clock.monotonicMs();
  }

  /** The other one was heard. */
  heard(): void {
    this.#silentMs = 0;
  }

  /** How long it has been silent, ms. Of a look that comes late no more than two periods count. */
  look(): number {
    const nowMs = this.#clock.monotonicMs();
    this.#silentMs += Math.min(nowMs - this.#lookedAtMs, 2 * this.#periodMs);
    this.#lookedAtMs = nowMs;
    return this.#silentMs;
  }
}
