/**
 * @module
 * Timers of strategies, by the clock of the run. A timer that is due becomes a fact like any other, so it is recorded,
 * ordered and replayed with them.
 */
import { assert, type Clock, DURATION_MAX, parseDurationMs, shown, type Timer } from '../../core/index.ts';
import type { FactSink } from '../../domain/index.ts';

/** The most timers one owner may have. */
const TIMERS_PER_OWNER_MAX = 1_000;
const TIMER_MS_MAX = parseDurationMs(DURATION_MAX);

/** All timers of a run, by owner and name. */
export class Scheduler {
  readonly #clock: Clock;
  readonly #sink: FactSink;
  readonly #timers = new Map<string, Map<string, Timer>>();

  constructor(clock: Clock, sink: FactSink) {
    this.#clock = clock;
    this.#sink = sink;
  }

  /** Fires once after `delayMs`; a timer of the same name is replaced. */
  startOnce(owner: string, name: string, delayMs: number): void {
    assertTime(delayMs, 0);
    const fire = () => {
      this.#timers.get(owner)?.delete(name);
      this.#fire(owner, name);
    };
    this.#set(owner, name, () => this.#clock.after(delayMs, fire));
  }

  /** Fires each `periodMs`; a timer of the same name is replaced. */
  startInterval(owner: string, name: string, periodMs: number): void {
    assertTime(periodMs, 1);
    this.#set(owner, name, () => this.#clock.every(periodMs, () => this.#fire(owner, name)));
  }

  /** Stops a timer; nothing happens when there is none. */
  stop(owner: string, name: string): void {
    this.#timers.get(owner)?.get(name)?.cancel();
    this.#timers.get(owner)?.delete(name);
  }

  /** Stops all timers of an owner. */
  stopAll(owner: string): void {
    for (const timer of this.#timers.get(owner)?.values() ?? []) timer.cancel();
    this.#timers.delete(owner);
  }

  /** Stops all timers. */
  clear(): void {
    for (const owner of [...this.#timers.keys()]) this.stopAll(owner);
  }

  #set(owner: string, name: string, start: () => Timer): void {
    this.stop(owner, name);
    const timers = this.#timers.get(owner) ?? new Map<string, Timer>();
    assert(timers.size < TIMERS_PER_OWNER_MAX, `at most ${TIMERS_PER_OWNER_MAX} timers of ${owner}`);
    this.#timers.set(owner, timers);
    timers.set(name, start());
  }

  #fire(owner: string, name: string): void {
    this.#sink({ type: 'TimerFired', intentOwner: owner, name, atMs: this.#clock.nowMs() });
  }
}

/** @throws AssertionError for what is no time a timer can have; strategies are code of others. */
function assertTime(ms: unknown, min: number): void {
  assert(
    typeof ms === 'number' && ms >= min && ms <= TIMER_MS_MAX,
    `a time of a timer from ${min} to ${TIMER_MS_MAX} ms, got ${shown(ms)}`,
  );
}
