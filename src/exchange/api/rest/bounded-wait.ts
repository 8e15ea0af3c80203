/**
 * @module
 * Waiting for a condition on the injected clock, for a bounded time. A clock that moves only by calls would wait
 * forever for a caller that waits for the answer: there the machine's time bounds the wait as well.
 */
import type { Clock, Timer } from '../../../core/index.ts';

/** How often a condition is looked at, in ms. */
const STEP_MS = 5;

/** Waits on a clock. */
export class BoundedWait {
  readonly #clock: Clock;
  readonly #machine: Clock | undefined;

  /** `machine`: bounds the waits too; `undefined` where `clock` moves without calls. */
  constructor(clock: Clock, machine?: Clock) {
    this.#clock = clock;
    this.#machine = machine;
  }

  /** True as soon as `isMet`, false when it is not within `waitMsMax`. */
  until(isMet: () => boolean, waitMsMax: number): Promise<boolean> {
    const endMs = this.#clock.monotonicMs() + waitMsMax;
    return new Promise((resolve) => {
      let next: Timer | undefined;
      const end = (): void => {
        next?.cancel();
        alarm?.cancel();
        resolve(isMet());
      };
      const look = (): void => {
        const leftMs = endMs - this.#clock.monotonicMs();
        if (leftMs <= 0 || isMet()) end();
        else next = this.#clock.after(Math.min(STEP_MS, leftMs), look);
      };
      const alarm = this.#machine?.after(waitMsMax, end);
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
