/** @module A clock that runs faster than the machine's, the same in several processes. */
import { type Clock, repeatedly, SystemClock, type Timer, type UnixMs } from '../src/core/index.ts';

/** What two clocks have to share to be one. */
export interface ClockScale {
  /** How much faster it runs. */
  readonly factor: number;
  /** When both say the same, Unix ms. */
  readonly fromMs: number;
}

/** See the module. */
export class ScaledClock implements Clock {
  readonly #scale: ClockScale;
  readonly #system = new SystemClock();

  constructor(scale: ClockScale) {
    this.#scale = scale;
  }

  nowMs(): UnixMs {
    const { fromMs, factor } = this.#scale;
    return Math.floor(fromMs + (this.#system.nowMs() - fromMs) * factor) as UnixMs;
  }

  monotonicMs(): number {
    return this.#system.monotonicMs() * this.#scale.factor;
  }

  after(delayMs: number, action: () => void): Timer {
    return this.#system.after(delayMs / this.#scale.factor, action);
  }

  every(periodMs: number, action: () => void): Timer {
    const realMs = periodMs / this.#scale.factor;
    // Node rounds a period below a millisecond up, and a timer that is set again and again keeps its pace.
    return realMs >= 1 ? this.#system.every(realMs, action) : repeatedly(this, periodMs, action);
  }

  soon(action: () => void): void {
    this.#system.soon(action);
  }
}
