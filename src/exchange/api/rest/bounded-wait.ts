/** @module Waiting for a condition on the injected clock, for a bounded time. */
import type { Clock } from '../../../core/index.ts';

/** How often a condition is looked at, in ms. */
const STEP_MS = 5;

/** Waits on a clock. */
export class BoundedWait {
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** True as soon as `isMet`, false when it is not within `waitMsMax`. */
  until(isMet: () => boolean, waitMsMax: number): Promise<boolean> {
    const endMs = this.#clock.monotonicMs() + waitMsMax;
    return new Promise((resolve) => {
      const look = (): void => {
        if (isMet()) resolve(true);
        else if (this.#clock.monotonicMs() >= endMs) resolve(false);
        else this.#clock.after(Math.min(STEP_MS, endMs - this.#clock.monotonicMs()), look);
      };
      look();
    });
  }

  /** Resolves after `delayMs`. */
  pause(delayMs: number): Promise<void> {
    return new Promise((resolve) => {
      this.#clock.after(delayMs, resolve);
    });
  }
}
