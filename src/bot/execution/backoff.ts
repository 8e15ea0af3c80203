/**
 * @module
 * Waits that grow and are spread: 50 ms, doubled to 1 s, each drawn between half and the full wait
 * (outcomes-and-receipts.md, O118).
 */
import type { Clock, Random, Timer } from '../../core/index.ts';

/** The first and the longest wait. */
const BACKOFF_MS = { first: 50, max: 1000 } as const;

/** A growing wait. */
export class Backoff {
  readonly #random: Random;
  #nextMs: number = BACKOFF_MS.first;

  constructor(random: Random) {
    this.#random = random;
  }

  /** The next wait in ms, at least `floorMs`. */
  next(floorMs = 0): number {
    const delayMs = this.#nextMs * (0.5 + this.#random.next() / 2);
    this.#nextMs = Math.min(BACKOFF_MS.max, this.#nextMs * 2);
    return Math.max(floorMs, delayMs);
  }

  /** Starts over. */
  reset(): void {
    this.#nextMs = BACKOFF_MS.first;
  }
}

/** Waits on a clock that end early when they are stopped. */
export class Waits {
  readonly #clock: Clock;
  readonly #open = new Map<Timer, () => void>();
  #isStopped = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** True once the waits were stopped. */
  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** Resolves after `delayMs`, or at once when stopped. */
  wait(delayMs: number): Promise<void> {
    if (this.#isStopped) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = this.#clock.after(delayMs, () => {
        this.#open.delete(timer);
        resolve();
      });
      this.#open.set(timer, resolve);
    });
  }

  /** Ends all waits, those to come too. */
  stop(): void {
    this.#isStopped = true;
    for (const [timer, resolve] of this.#open) {
      timer.cancel();
      resolve();
    }
    this.#open.clear();
  }
}
