/**
 * @module
 * Timers of strategies, by the clock of the run. A timer that is due becomes a fact like any other, so it is recorded,
 * ordered and replayed with them.
 */
import { assert, type Clock, type Timer } from '../core/index.ts';
import type { FactSink } from '../domain/index.ts';

/** The most timers one owner may have. */
export const TIMERS_PER_OWNER_MAX = 1_000;

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
    assert(Number.isFinite(delayMs) && delayMs >= 0, `a delay that is not negative, was ${delayMs} ms`);
    const fire = () => {
      this.#timers.get(owner)?.delete(name);
      this.#fire(owner, name);
    };
    this.#set(owner, name, () => this.#clock.after(delayMs, fire));
  }

  /** Fires each `periodMs`; a timer of the same name is replaced. */
  startInterval(owner: string, name: string, periodMs: number): void {
    assert(Number.isFinite(periodMs) && periodMs >= 1, `a period of at least 1 ms, was ${periodMs} ms`);
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
