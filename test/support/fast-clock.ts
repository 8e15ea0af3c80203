/**
 * @module
 * A clock that runs a whole number of times as fast as the machine's: what waits for seconds over real sockets waits for
 * a part of them.
 */
import { type Clock, SystemClock, type Timer, type UnixMs } from '../../src/core/index.ts';

/** See the module. */
export class FastClock implements Clock {
  readonly #clock = new SystemClock();
  readonly #times: number;
  readonly #startMs: number;

  constructor(times: number) {
    this.#times = times;
    this.#startMs = this.#clock.nowMs();
  }

  nowMs(): UnixMs {
    return Math.floor(this.#startMs + (this.#clock.nowMs() - this.#startMs) * this.#times) as UnixMs;
  }

  monotonicMs(): number {
    return this.#clock.monotonicMs() * this.#times;
  }

  after(delayMs: number, action: () => void): Timer {
    return this.#clock.after(delayMs / this.#times, action);
  }

  every(periodMs: number, action: () => void): Timer {
    return this.#clock.every(periodMs / this.#times, action);
  }

  soon(action: () => void): void {
    this.#clock.soon(action);
  }
}
