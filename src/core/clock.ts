/**
 * @module
 * Time as an argument. Nothing in src reads the wall clock or starts a timer but through a {@link Clock}
 * (decision B3), so a whole bot runs on virtual time.
 */
import { assert } from './assert.ts';
import type { UnixMs } from './unit.ts';

/** A started timer. */
export interface Timer {
  /** Stops it; once it has fired, or again, this does nothing. */
  cancel(): void;
}

/** The source of time and timers. */
export interface Clock {
  /** Wall-clock time of this machine in Unix milliseconds; may jump. */
  nowMs(): UnixMs;
  /** Milliseconds that never run backwards, with fractions; for durations and latencies. */
  monotonicMs(): number;
  /** Calls `action` once after `delayMs` of monotonic time. */
  after(delayMs: number, action: () => void): Timer;
  /** Calls `action` each `periodMs` of monotonic time. */
  every(periodMs: number, action: () => void): Timer;
  /** Calls `action` when the current turn of the event loop is over. */
  soon(action: () => void): void;
}

/** The clock of the machine. Timers keep the process alive unless `unref` was asked for at construction. */
export class SystemClock implements Clock {
  nowMs(): UnixMs {
    return Date.now() as UnixMs;
  }

  monotonicMs(): number {
    return performance.now();
  }

  after(delayMs: number, action: () => void): Timer {
    const handle = setTimeout(action, delayMs);
    return { cancel: () => clearTimeout(handle) };
  }

  every(periodMs: number, action: () => void): Timer {
    const handle = setInterval(action, periodMs);
    return { cancel: () => clearInterval(handle) };
  }

  soon(action: () => void): void {
    setImmediate(action);
  }
}

interface Scheduled {
  atMs: number;
  order: number;
  readonly periodMs: number | undefined;
  readonly action: () => void;
}

/** A clock that only moves when it is told to; timers fire in order of time, then of creation. */
export class VirtualClock implements Clock {
  #nowMs: number;
  readonly #startMs: number;
  #order = 0;
  #timers: Scheduled[] = [];

  constructor(startMs: number) {
    this.#nowMs = startMs;
    this.#startMs = startMs;
  }

  nowMs(): UnixMs {
    return Math.floor(this.#nowMs) as UnixMs;
  }

  monotonicMs(): number {
    return this.#nowMs - this.#startMs;
  }

  after(delayMs: number, action: () => void): Timer {
    return this.#schedule(delayMs, action, undefined);
  }

  every(periodMs: number, action: () => void): Timer {
    assert(periodMs > 0, `a period above zero, was ${periodMs}`);
    return this.#schedule(periodMs, action, periodMs);
  }

  soon(action: () => void): void {
    this.#schedule(0, action, undefined);
  }

  /** When the next timer is due, `undefined` when there is none. */
  nextAtMs(): number | undefined {
    return this.#timers[0]?.atMs;
  }

  /** Moves to the next due timer at or before `limitMs` and runs it; false when there is none. */
  step(limitMs: number): boolean {
    const next = this.#timers[0];
    if (next === undefined || next.atMs > limitMs) return false;
    this.#timers.shift();
    this.#nowMs = Math.max(this.#nowMs, next.atMs);
    if (next.periodMs !== undefined) {
      next.atMs += next.periodMs;
      next.order = this.#order++;
      this.#insert(next);
    }
    next.action();
    return true;
  }

  /** Runs all timers due within `durationMs` and ends exactly there. No promise is awaited between timers. */
  advance(durationMs: number): void {
    const targetMs = this.#nowMs + durationMs;
    while (this.step(targetMs));
    this.#nowMs = targetMs;
  }

  /** As {@link advance}, but lets pending promises settle after each timer, so asynchronous code runs on virtual time. */
  async advanceAsync(durationMs: number): Promise<void> {
    const targetMs = this.#nowMs + durationMs;
    await drainPromises();
    while (this.step(targetMs)) await drainPromises();
    this.#nowMs = targetMs;
  }

  #schedule(delayMs: number, action: () => void, periodMs: number | undefined): Timer {
    assert(Number.isFinite(delayMs), `a finite delay, was ${delayMs}`);
    const timer: Scheduled = {
      atMs: this.#nowMs + Math.max(0, delayMs),
      order: this.#order++,
      periodMs,
      action,
    };
    this.#insert(timer);
    return { cancel: () => this.#cancel(timer) };
  }

  #cancel(timer: Scheduled): void {
    const at = this.#timers.indexOf(timer);
    if (at >= 0) this.#timers.splice(at, 1);
  }

  #insert(timer: Scheduled): void {
    let low = 0;
    let high = this.#timers.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const other = this.#timers[middle] as Scheduled;
      if (other.atMs < timer.atMs || (other.atMs === timer.atMs && other.order < timer.order))
        low = middle + 1;
      else high = middle;
    }
    this.#timers.splice(low, 0, timer);
  }
}

/** Lets every promise that can settle without I/O settle. */
async function drainPromises(): Promise<void> {
  await new Promise<void>((resolve) => setImmediate(resolve));
}
