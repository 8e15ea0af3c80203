/** @module The clock of a bot that may die: then none of its timers does anything. */
import type { Clock, Timer, UnixMs } from '../../core/index.ts';

/** See the module. */
export class MortalClock implements Clock {
  readonly #clock: Clock;
  isDead = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  nowMs(): UnixMs {
    return this.#clock.nowMs();
  }

  monotonicMs(): number {
    return this.#clock.monotonicMs();
  }

  after(delayMs: number, action: () => void): Timer {
    return this.#clock.after(delayMs, () => this.#run(action));
  }

  every(periodMs: number, action: () => void): Timer {
    return this.#clock.every(periodMs, () => this.#run(action));
  }

  soon(action: () => void): void {
    this.#clock.soon(() => this.#run(action));
  }

  #run(action: () => void): void {
    if (!this.isDead) action();
  }
}
