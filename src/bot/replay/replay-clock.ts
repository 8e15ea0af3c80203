/**
 * @module
 * The clock of a re-run: time is what the log says, and a timer is due when the log says so. Timers have the numbers that
 * the clock of the run gave them, since the same code sets the same timers in the same order.
 */
import type { Clock, Timer, UnixMs } from '../../core/index.ts';
import type { Instant } from './entry.ts';

/** See the module. */
export class ReplayClock implements Clock {
  #at: Instant;
  #count = 0;
  readonly #timers = new Map<number, { readonly action: () => void; readonly isOnce: boolean }>();

  constructor(at: Instant) {
    this.#at = at;
  }

  moveTo(at: Instant): void {
    this.#at = at;
  }

  /** False: no such timer is set. */
  fire(number: number): boolean {
    const timer = this.#timers.get(number);
    if (timer?.isOnce === true) this.#timers.delete(number);
    timer?.action();
    return timer !== undefined;
  }

  /** Lets what waits for a promise continue. */
  async settled(): Promise<void> {
    for (let round = 0; round < 8; round++) await Promise.resolve();
  }

  nowMs(): UnixMs {
    return this.#at.nowMs;
  }

  monotonicMs(): number {
    return this.#at.monotonicMs;
  }

  after(_delayMs: number, action: () => void): Timer {
    return this.#set(action, true);
  }

  every(_periodMs: number, action: () => void): Timer {
    return this.#set(action, false);
  }

  soon(action: () => void): void {
    this.#set(action, true);
  }

  #set(action: () => void, isOnce: boolean): Timer {
    const number = ++this.#count;
    this.#timers.set(number, { action, isOnce });
    return { cancel: () => void this.#timers.delete(number) };
  }
}
