/**
 * @module
 * Gathers the entries of a log in memory, cheap enough for the path of a frame: facts are kept as they are (they never
 * change), the numbers of books are copied. The keeper of the log takes the entries off and writes them down later.
 */
import type { Instant, LogEntry, LogEvent } from './entry.ts';

/** Entries that may wait to be taken. Beyond them none are kept and a gap says so. */
const WAITING_ENTRIES_MAX = 500_000;

/** The entries of a run that have not been taken yet. */
export class RunLog {
  #waiting: LogEntry[] = [];
  #missed = 0;

  /** Adds what happened. */
  note(at: Instant | undefined, event: LogEvent): void {
    if (this.#waiting.length < WAITING_ENTRIES_MAX) this.#waiting.push({ at, event });
    else this.#missed++;
  }

  /** How many wait. */
  get size(): number {
    return this.#waiting.length;
  }

  /** Hands over what waits. */
  take(): readonly LogEntry[] {
    const taken = this.#waiting;
    this.#waiting = [];
    if (this.#missed > 0) taken.push({ at: undefined, event: { kind: 'gap', events: this.#missed } });
    this.#missed = 0;
    return taken;
  }
}
