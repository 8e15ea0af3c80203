/**
 * @module
 * What a journal and its thread signal each other without a message. Waking a sleeping thread takes longer than all
 * that a bot does for an order, so neither sleeps while an order waits: the thread is woken when a record is about to
 * come and looks out for it, and the bot looks out for the commit. Both look for a short while, then sleep as ever.
 * Where no core is free a thread that looks takes the core from the one that works: after each look in vain it pauses for twice as long.
 * All that is signaled here is a count or a hint: records and errors are messages.
 *
 *   bot ── expect ──▶ thread awake ── message, rung ──▶ commit ── count ──▶ bot, in the next round of its event loop
 */
import { availableParallelism } from 'node:os';
import type { Clock } from '../../core/index.ts';

/** Counted up with each message to the thread: it sleeps on this one. */
const RUNG = 0;
/** Odd while a record is about to come. */
const EXPECTED = 1;
/** Records that are on the disk since the thread began. Wraps. */
const DURABLE = 2;
/** 1 while the bot looks at {@link DURABLE} on its own. */
const IS_WATCHED = 3;
/** Expectations that the thread gave up. Wraps. */
const IN_VAIN = 4;
/** Records that the thread has taken since it began. Wraps. */
const TAKEN = 5;
const SLOTS = 6;

/**
 * How long the thread looks out for a record, and the bot for a commit. Twice what it takes as a rule and not longer: who
 * looks may sit on the very core that the other one waits for, and the scheduler leaves it there for milliseconds. Looks
 * of 0.5 and 1 ms made one commit in seventy take 1.2 ms, which is that look and the commit after it.
 */
const LOOK_OUT_MS = 0.15;
const WATCH_MS = 0.4;
/** How long the bot looks while the thread has not even taken the record: it waits for a core, perhaps for this one. */
const TAKE_MS = 0.1;
/** Looks that are skipped at most before the next try. */
const SKIPS_MAX = 63;

/** Memory of a doorbell. */
export function doorbellMemory(): SharedArrayBuffer {
  return new SharedArrayBuffer(SLOTS * Int32Array.BYTES_PER_ELEMENT);
}

/** The bot's side. */
export class ThreadWakeup {
  readonly #slots: Int32Array;
  readonly #clock: Clock;
  readonly #isPatient: boolean;
  readonly #onDurable: (count: number) => void;
  readonly #expecting = new Luck();
  readonly #watching = new Luck();
  #expectedUntilMs = Number.NEGATIVE_INFINITY;
  #hasExpected = false;
  #inVain = 0;
  #isWatching = false;
  #watchUntilMs = 0;
  #takeUntilMs = 0;
  /** Counts of records: handed over, handed over up to the last one that a caller waits for, and reported. They wrap. */
  #handed = 0;
  #awaited = 0;
  #reported = 0;

  /** `onDurable` hears of every record once. `isPatient`: neither side looks, messages say it all. */
  constructor(
    memory: SharedArrayBuffer,
    clock: Clock,
    onDurable: (count: number) => void,
    isPatient: boolean = availableParallelism() === 1,
  ) {
    this.#slots = new Int32Array(memory);
    this.#clock = clock;
    this.#onDurable = onDurable;
    this.#isPatient = isPatient;
  }

  /** A record that a caller waits for is about to come. */
  expect(): void {
    if (this.#isPatient) return;
    const nowMs = this.#clock.monotonicMs();
    if (nowMs < this.#expectedUntilMs) return;
    this.#expectedUntilMs = nowMs + LOOK_OUT_MS;
    this.#reviewExpectation();
    if (!this.#expecting.isDue()) return;
    this.#hasExpected = true;
    // Odd again, as another number: it is looked out for again, also when the last one never came.
    const isOdd = (Atomics.load(this.#slots, EXPECTED) & 1) === 1;
    Atomics.add(this.#slots, EXPECTED, isOdd ? 2 : 1);
    this.ring();
  }

  /** The thread has a message. */
  ring(): void {
    Atomics.add(this.#slots, RUNG, 1);
    Atomics.notify(this.#slots, RUNG);
  }

  /** The thread has a record. `isLazy`: no caller waits for it. */
  hand(isLazy: boolean): void {
    this.#handed = (this.#handed + 1) | 0;
    if (!isLazy && (Atomics.load(this.#slots, EXPECTED) & 1) === 1) Atomics.add(this.#slots, EXPECTED, 1);
    this.ring();
    if (isLazy || this.#isPatient) return;
    this.#expectedUntilMs = Number.NEGATIVE_INFINITY;
    if (!this.#isWatching && !this.#watching.isDue()) return;
    this.#awaited = this.#handed;
    const nowMs = this.#clock.monotonicMs();
    this.#watchUntilMs = nowMs + WATCH_MS;
    this.#takeUntilMs = nowMs + TAKE_MS;
    if (this.#isWatching) return;
    this.#isWatching = true;
    Atomics.store(this.#slots, IS_WATCHED, 1);
    this.#clock.soon(() => this.#watch());
  }

  /** Reports what has become durable since the last time. */
  report(): void {
    const count = (Atomics.load(this.#slots, DURABLE) - this.#reported) | 0;
    if (count === 0) return;
    this.#reported = (this.#reported + count) | 0;
    this.#onDurable(count);
  }

  /** The thread has given up the last expectation, or has not. */
  #reviewExpectation(): void {
    if (!this.#hasExpected) return;
    this.#hasExpected = false;
    const inVain = Atomics.load(this.#slots, IN_VAIN);
    this.#expecting.was(inVain === this.#inVain);
    this.#inVain = inVain;
  }

  /** One look in each round of the event loop, which continues meanwhile. */
  #watch(): void {
    this.report();
    const isAwaited = this.#isBehind(this.#reported);
    const isTaken = !this.#isBehind(Atomics.load(this.#slots, TAKEN));
    if (isAwaited && this.#clock.monotonicMs() < (isTaken ? this.#watchUntilMs : this.#takeUntilMs)) {
      this.#clock.soon(() => this.#watch());
      return;
    }
    this.#watching.was(!isAwaited);
    this.#isWatching = false;
    Atomics.store(this.#slots, IS_WATCHED, 0);
    // The thread may have counted before it could see that: then it sends no message.
    this.report();
  }

  /** A count of records has not reached the last one that a caller waits for. */
  #isBehind(count: number): boolean {
    return ((this.#awaited - count) | 0) > 0;
  }
}

/** Whether to look at all: not so soon again when it was in vain. */
class Luck {
  #skips = 0;
  #skipsLeft = 0;

  isDue(): boolean {
    if (this.#skipsLeft === 0) return true;
    this.#skipsLeft--;
    return false;
  }

  was(isGood: boolean): void {
    // Three bad ones in ten are enough to look ever less: a look in vain costs more than a good one gains.
    this.#skips = isGood ? Math.floor(this.#skips * 0.75) : Math.min(SKIPS_MAX, 2 * this.#skips + 1);
    this.#skipsLeft = this.#skips;
  }
}

/** The thread's side. */
export class WakeupThread {
  readonly #slots: Int32Array;
  readonly #clock: Clock;
  /** The expectation that was looked out for in vain. */
  #givenUp = 0;

  constructor(memory: SharedArrayBuffer, clock: Clock) {
    this.#slots = new Int32Array(memory);
    this.#clock = clock;
  }

  /** To be asked before the messages are taken: one that comes after that has rung once more. */
  rung(): number {
    return Atomics.load(this.#slots, RUNG);
  }

  /** Sleeps until it is rung beyond `rung`; false when that took `forMs`. */
  sleep(rung: number, forMs: number): boolean {
    return Atomics.wait(this.#slots, RUNG, rung, forMs) !== 'timed-out';
  }

  /** Looks out for a record that is about to come, awake. True: it was rung beyond `rung`. */
  lookOut(rung: number): boolean {
    const expected = Atomics.load(this.#slots, EXPECTED);
    if ((expected & 1) === 0 || expected === this.#givenUp) return false;
    const untilMs = this.#clock.monotonicMs() + LOOK_OUT_MS;
    while (Atomics.load(this.#slots, RUNG) === rung) {
      if (this.#clock.monotonicMs() < untilMs) continue;
      this.#givenUp = expected;
      Atomics.add(this.#slots, IN_VAIN, 1);
      return false;
    }
    return true;
  }

  /** `count` records more are in the thread's hands. */
  take(count: number): void {
    Atomics.add(this.#slots, TAKEN, count);
  }

  /** `count` records more are on the disk. True: the bot does not look, it needs a message. */
  count(count: number): boolean {
    Atomics.add(this.#slots, DURABLE, count);
    return Atomics.load(this.#slots, IS_WATCHED) === 0;
  }
}
