/** @module The newest entries of a kind, numbered, so that a reader can ask for what came after the last one it has seen. */
import { type AuditEvent, type Fields, type Log, observedLog } from '../../core/index.ts';

/** A line of the log. */
export interface KeptLine {
  /** Unix ms. */
  readonly atMs: number;
  readonly level: 'info' | 'warn' | 'error';
  readonly message: string;
  readonly fields: Fields;
}

/** A row of the journal. */
export type KeptEvent = AuditEvent;

/** A page of entries. */
export interface Page<Entry> {
  /** Oldest first. */
  readonly entries: readonly Entry[];
  /** The number to ask for next, to get what comes after these. */
  readonly next: number;
  /** How many entries between the asked number and the first of these are not kept any more. */
  readonly missed: number;
}

/** See the module. Adding costs no more than keeping a reference. */
export class Kept<Entry> {
  readonly #max: number;
  #entries: Entry[] = [];
  /** Number of the first of {@link #entries}; they count from 0. */
  #first = 0;

  /** Keeps `max` entries at least. */
  constructor(max: number) {
    this.#max = max;
  }

  add(entry: Entry): void {
    this.#entries.push(entry);
    if (this.#entries.length < 2 * this.#max) return;
    this.#first += this.#entries.length - this.#max;
    this.#entries = this.#entries.slice(-this.#max);
  }

  /** At most `limit` entries from number `from` on; without it the newest. */
  page(from: number | undefined, limit: number): Page<Entry> {
    const end = this.#first + this.#entries.length;
    const asked = Math.min(from ?? end - limit, end);
    const first = Math.max(asked, this.#first);
    const entries = this.#entries.slice(first - this.#first, first - this.#first + limit);
    return { entries, next: first + entries.length, missed: from === undefined ? 0 : first - asked };
  }
}

/** `log`, whose lines from `info` on are kept as well, with what its children add. */
export function keepingLog(log: Log, lines: Kept<KeptLine>, nowMs: () => number): Log {
  return observedLog(log, (level, message, fields = {}) =>
    lines.add({ atMs: nowMs(), level, message, fields }),
  );
}
