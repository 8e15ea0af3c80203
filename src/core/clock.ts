/**
 * @module
 * Time as an argument. Nothing in src reads the wall clock or starts a timer but through a {@link Clock}, so a whole
 * bot runs on virtual time.
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
  /** Calls `action` once after `delayMs` of monotonic time; of a time that is over already, as soon as may be. */
  after(delayMs: number, action: () => void): Timer;
  /** Calls `action` each `periodMs` of monotonic time. */
  every(periodMs: number, action: () => void): Timer;
  /** Calls `action` when the current turn of the event loop is over. */
  soon(action: () => void): void;
}

/** The longest that a timer of Node waits, nearly 25 days: a longer one would be due at once. */
const NODE_TIMER_MS_MAX = 2 ** 31 - 1;

/** The clock of the machine. Its timers wait for any length of time, and keep the process alive. */
export class SystemClock implements Clock {
  nowMs(): UnixMs {
    return Date.now() as UnixMs;
  }

  monotonicMs(): number {
    return performance.now();
  }

  after(delayMs: number, action: () => void): Timer {
    assert(!Number.isNaN(delayMs), `a delay, got ${delayMs}`);
    // Node warns of what is below zero, which every deadline that has passed is.
    if (delayMs <= NODE_TIMER_MS_MAX) {
      const handle = setTimeout(action, Math.max(0, delayMs));
      return { cancel: () => clearTimeout(handle) };
    }
    let timer = this.after(NODE_TIMER_MS_MAX, () => {
      timer = this.after(delayMs - NODE_TIMER_MS_MAX, action);
    });
    return { cancel: () => timer.cancel() };
  }

  every(periodMs: number, action: () => void): Timer {
    assert(periodMs > 0, `a period above zero, got ${periodMs}`);
    if (periodMs <= NODE_TIMER_MS_MAX) {
      const handle = setInterval(action, periodMs);
      return { cancel: () => clearInterval(handle) };
    }
    return repeatedly(this, periodMs, action);
  }

  soon(action: () => void): void {
    setImmediate(action);
  }
}

/** Calls `action` every `periodMs` by timers of `clock`, each set when the one before fires: a late one is not made up for. */
export function repeatedly(clock: Pick<Clock, 'after'>, periodMs: number, action: () => void): Timer {
  let timer: Timer;
  const next = (): Timer =>
    clock.after(periodMs, () => {
      timer = next();
      action();
    });
  timer = next();
  return { cancel: () => timer.cancel() };
}

interface Scheduled {
  atMs: number;
  order: number;
  readonly periodMs: number | undefined;
  readonly action: () => void;
  /** Canceled, or fired for the last time. */
  isOver: boolean;
}

const US_PER_MS = 1_000;
/** Timers that run in one round of the event loop at most. */
const ROUND_TIMERS_MAX = 256;
/** With fewer canceled timers than this it is not worth clearing them out. */
const CANCELED_MIN = 1_000;

/** A clock that moves only when its methods are called; timers fire in order of time, then of creation. */
export class VirtualClock implements Clock {
  /** Since the start: small numbers keep their fractions. What {@link moveToUs} said last may not be in it yet. */
  #nowMs = 0;
  /** The same in us, as far as it has been moved; what of that is in {@link #nowMs}. */
  #movedUs = 0;
  #knownUs = 0;
  /** Begins as what it is, a number with fractions: otherwise each reader would have to look what it is. */
  readonly #startMs: number = Number.NaN;
  #order = 0;
  /** A heap by time, then order. */
  #timers: Scheduled[] = [];
  #canceled = 0;
  /** When the first timer is due that is not canceled. */
  #dueMs = Number.POSITIVE_INFINITY;

  constructor(startMs: number) {
    this.#startMs = startMs;
  }

  nowMs(): UnixMs {
    return Math.floor(this.#startMs + this.#now()) as UnixMs;
  }

  monotonicMs(): number {
    return this.#now();
  }

  after(delayMs: number, action: () => void): Timer {
    return this.#schedule(delayMs, action, undefined);
  }

  every(periodMs: number, action: () => void): Timer {
    assert(periodMs > 0, `a period above zero, got ${periodMs}`);
    return this.#schedule(periodMs, action, periodMs);
  }

  soon(action: () => void): void {
    this.#schedule(0, action, undefined);
  }

  /** When the next timer is due, in monotonic time; Infinity when there is none. */
  get dueMs(): number {
    return this.#dueMs;
  }

  /** As {@link dueMs}; `undefined` when there is none. */
  nextAtMs(): number | undefined {
    return this.#dueMs === Number.POSITIVE_INFINITY ? undefined : this.#dueMs;
  }

  /**
   * Moves on to `atMs` of monotonic time, for one who looks after {@link dueMs} himself: no timer runs, and one that
   * was due before then runs late. Time never goes back. Gives the time that it is then.
   */
  moveTo(atMs: number): UnixMs {
    if (atMs > this.#now()) this.#set(atMs);
    return Math.floor(this.#startMs + this.#now()) as UnixMs;
  }

  /**
   * As {@link moveTo}, in us since the start. Rows of a market come faster than any caller asks for the time: it is divided
   * when one does.
   */
  moveToUs(us: number): void {
    if (us > this.#movedUs) this.#movedUs = us;
  }

  /** What {@link nowMs} says now, to be read later by {@link timeOf}. A method: compilers take it in before any getter. */
  mark(): number {
    return this.#movedUs;
  }

  /** What {@link nowMs} said when {@link mark} gave `mark`. */
  timeOf(mark: number): UnixMs {
    return Math.floor(this.#startMs + mark / US_PER_MS) as UnixMs;
  }

  /** Moves to the next due timer at or before `limitMs` of monotonic time and runs it; false when there is none. */
  step(limitMs: number): boolean {
    const next = this.#next();
    if (next === undefined || next.atMs > limitMs) return false;
    this.#set(Math.max(this.#now(), next.atMs));
    if (next.periodMs === undefined) {
      next.isOver = true;
      this.#removeFirst();
    } else {
      next.atMs += next.periodMs;
      next.order = this.#order++;
      this.#sink(0);
    }
    this.#dueMs = this.#next()?.atMs ?? Number.POSITIVE_INFINITY;
    next.action();
    return true;
  }

  /** Runs all timers due within `durationMs` and ends exactly there. No promise is awaited between timers. */
  advance(durationMs: number): void {
    const targetMs = this.#now() + durationMs;
    while (this.step(targetMs));
    this.#set(targetMs);
  }

  /** As {@link advance}, but lets pending promises settle after each timer, so asynchronous code runs on virtual time. */
  async advanceAsync(durationMs: number): Promise<void> {
    const targetMs = this.#now() + durationMs;
    for (let count = 4; await this.#round(targetMs, count); count = Math.min(2 * count, ROUND_TIMERS_MAX));
    this.#set(targetMs);
  }

  /**
   * Runs up to `count` timers in one round of the event loop; false when no more are due. Between two immediates of a
   * round Node lets every promise settle that can without I/O.
   */
  #round(limitMs: number, count: number): Promise<boolean> {
    return new Promise((resolve, reject) => {
      let left = count;
      let isMore = true;
      const one = (): void => {
        left--;
        try {
          if (isMore) isMore = this.step(limitMs);
        } catch (thrown) {
          isMore = false;
          reject(thrown);
        }
        if (left === 0) resolve(isMore);
      };
      for (let i = 0; i < count; i++) setImmediate(one);
    });
  }

  #now(): number {
    if (this.#movedUs !== this.#knownUs) {
      this.#knownUs = this.#movedUs;
      this.#nowMs = Math.max(this.#nowMs, this.#movedUs / US_PER_MS);
    }
    return this.#nowMs;
  }

  #set(nowMs: number): void {
    this.#nowMs = nowMs;
    this.#movedUs = nowMs * US_PER_MS;
    this.#knownUs = this.#movedUs;
  }

  #schedule(delayMs: number, action: () => void, periodMs: number | undefined): Timer {
    if (!Number.isFinite(delayMs)) assert(false, `a finite delay, got ${delayMs}`);
    const timer: Scheduled = {
      atMs: this.#now() + Math.max(0, delayMs),
      order: this.#order++,
      periodMs,
      action,
      isOver: false,
    };
    this.#timers.push(timer);
    this.#rise(this.#timers.length - 1);
    if (timer.atMs < this.#dueMs) this.#dueMs = timer.atMs;
    return { cancel: () => this.#cancel(timer) };
  }

  #cancel(timer: Scheduled): void {
    if (timer.isOver) return;
    timer.isOver = true;
    this.#canceled++;
    if (this.#canceled >= CANCELED_MIN && this.#canceled * 2 >= this.#timers.length) {
      this.#timers = this.#timers.filter((other) => !other.isOver).sort(compare);
      this.#canceled = 0;
    }
    if (timer.atMs === this.#dueMs) this.#dueMs = this.#next()?.atMs ?? Number.POSITIVE_INFINITY;
  }

  /** The first timer that is not canceled. */
  #next(): Scheduled | undefined {
    for (;;) {
      const first = this.#timers[0];
      if (first === undefined || !first.isOver) return first;
      this.#canceled--;
      this.#removeFirst();
    }
  }

  #removeFirst(): void {
    const last = this.#timers.pop();
    if (last === undefined || this.#timers.length === 0) return;
    this.#timers[0] = last;
    this.#sink(0);
  }

  #rise(from: number): void {
    const timers = this.#timers;
    const timer = timers[from] as Scheduled;
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = timers[parent] as Scheduled;
      if (compare(above, timer) <= 0) break;
      timers[at] = above;
      at = parent;
    }
    timers[at] = timer;
  }

  #sink(from: number): void {
    const timers = this.#timers;
    const timer = timers[from] as Scheduled;
    let at = from;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= timers.length) break;
      const right = timers[child + 1];
      if (right !== undefined && compare(right, timers[child] as Scheduled) < 0) child++;
      const below = timers[child] as Scheduled;
      if (compare(timer, below) <= 0) break;
      timers[at] = below;
      at = child;
    }
    timers[at] = timer;
  }
}

function compare(a: Scheduled, b: Scheduled): number {
  return a.atMs - b.atMs || a.order - b.order;
}
