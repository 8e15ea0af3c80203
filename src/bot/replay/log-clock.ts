/**
 * @module
 * The clock of a kernel whose run is logged. While a turn runs time does not pass, so that what a turn read can be said
 * with one number; timers are counted as they are set, and each one that is due begins a turn.
 */
import type { Clock, Timer, UnixMs } from '../../core/index.ts';
import type { LogEvent } from './entry.ts';
import type { EventLog } from './run-log.ts';

/** See the module. */
export class LogClock implements Clock {
  readonly #outer: Clock;
  readonly #log: EventLog;
  #depth = 0;
  #nowMs: UnixMs;
  #monotonicMs: number;
  #timers = 0;

  constructor(outer: Clock, log: EventLog) {
    this.#outer = outer;
    this.#log = log;
    this.#nowMs = outer.nowMs();
    this.#monotonicMs = outer.monotonicMs();
  }

  /** Does something as its own turn that `event` begins, or as part of the one that runs. */
  turn<Result>(event: LogEvent, action: () => Result): Result {
    this.begin(event);
    try {
      return action();
    } finally {
      this.end();
    }
  }

  /** The first half of {@link turn}: for what happens often, without a closure. */
  begin(event: LogEvent): void {
    if (this.#depth++ > 0) {
      this.#log.note(undefined, event);
      return;
    }
    this.#nowMs = this.#outer.nowMs();
    this.#monotonicMs = this.#outer.monotonicMs();
    this.#log.note({ nowMs: this.#nowMs, monotonicMs: this.#monotonicMs }, event);
  }

  /** The second half. */
  end(): void {
    this.#depth--;
  }

  /** Time does not pass from now on; {@link end} lets it pass again. For what happens before the first turn. */
  hold(): { readonly nowMs: UnixMs; readonly monotonicMs: number } {
    this.#depth++;
    return { nowMs: this.#nowMs, monotonicMs: this.#monotonicMs };
  }

  nowMs(): UnixMs {
    return this.#depth > 0 ? this.#nowMs : this.#outer.nowMs();
  }

  monotonicMs(): number {
    return this.#depth > 0 ? this.#monotonicMs : this.#outer.monotonicMs();
  }

  after(delayMs: number, action: () => void): Timer {
    const due = this.#due(action);
    return this.#outer.after(delayMs, due);
  }

  every(periodMs: number, action: () => void): Timer {
    const due = this.#due(action);
    return this.#outer.every(periodMs, due);
  }

  soon(action: () => void): void {
    this.#outer.soon(this.#due(action));
  }

  #due(action: () => void): () => void {
    const event: LogEvent = { kind: 'timer', number: ++this.#timers };
    return () => this.turn(event, action);
  }
}
