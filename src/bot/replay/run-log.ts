/**
 * @module
 * Where the entries of a log go while a run happens: into memory, or as lines to who writes them. Both are cheap enough for
 * the path of a frame. Facts never change and are kept as they are; a book is overwritten by its store, so it is copied, or
 * written down, at once.
 */
import { MARKET_FACT_TYPES } from '../../domain/index.ts';
import { copyBook, type Instant, type LogEntry, type LogEvent } from './entry.ts';
import { bookTemplate, formatEntry } from './line.ts';

/** Takes what happens in a run. */
export interface EventLog {
  /** Adds what happened. */
  note(at: Instant | undefined, event: LogEvent): void;
}

/** Entries that may wait to be taken. Beyond them none are kept and a gap says so. */
const WAITING_ENTRIES_MAX = 500_000;

/** The entries of a run that have not been taken yet. */
export class RunLog implements EventLog {
  #waiting: LogEntry[] = [];
  #missed = 0;

  note(at: Instant | undefined, event: LogEvent): void {
    if (this.#waiting.length >= WAITING_ENTRIES_MAX) this.#missed++;
    else if (event.kind === 'book')
      this.#waiting.push({ at, event: { ...event, book: copyBook(event.book) } });
    else this.#waiting.push({ at, event });
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

/** Who writes the lines of a log down. */
export interface LineWriter {
  /** Takes a line; false: so much waits that it is lost. `isOwed`: it may not be. `atMs`: its time, 0: it has none. */
  line(text: string, atMs: number, isOwed: boolean): boolean;
  /** The same for a line in which the four lists of `book`'s numbers go where `template` has a NUL each. */
  numbers(template: string, book: Extract<LogEvent, { kind: 'book' }>['book'], atMs: number): boolean;
  /** Lines that wait to be written. */
  readonly waiting: number;
  /** Resolves when what was taken is written. */
  flush(): Promise<void>;
  /** Resolves when it is written and the file closed. */
  close(): Promise<void>;
}

const OF_MARKETS: ReadonlySet<string> = new Set(MARKET_FACT_TYPES);

/** Makes lines of entries. What is lost where too much waits is a gap of its own line; only facts about markets are. */
export class LineLog implements EventLog {
  readonly #lines: LineWriter;
  /** What happened before the first line; `undefined`: that is written. */
  #early: RunLog | undefined = new RunLog();
  #missed = 0;

  constructor(lines: LineWriter) {
    this.#lines = lines;
  }

  /** Writes the first line, and what happened before it. */
  begin(first: string, atMs: number): void {
    this.#lines.line(first, atMs, true);
    const entries = this.#early?.take() ?? [];
    this.#early = undefined;
    for (const { at, event } of entries) this.note(at, event);
  }

  /** Writes the last line, unless there was no first one. */
  end(last: string): void {
    if (this.#early !== undefined) return;
    this.#tellMissed(true);
    this.#lines.line(last, 0, true);
  }

  note(at: Instant | undefined, event: LogEvent): void {
    if (this.#early !== undefined) {
      this.#early.note(at, event);
      return;
    }
    const atMs = at?.nowMs ?? 0;
    if (event.kind === 'book') {
      if (!this.#tellMissed(false)) return;
      if (!this.#lines.numbers(bookTemplate(at, event), event.book, atMs)) this.#missed++;
      return;
    }
    const isOwed = event.kind !== 'fact' || !OF_MARKETS.has(event.fact.type);
    if (!this.#tellMissed(isOwed)) return;
    if (!this.#lines.line(formatEntry({ at, event }), atMs, isOwed)) this.#missed++;
  }

  /** Says what was lost before the next line. False: there is no room, and that is lost, too. */
  #tellMissed(isOwed: boolean): boolean {
    if (this.#missed === 0) return true;
    const gap = formatEntry({ at: undefined, event: { kind: 'gap', events: this.#missed } });
    if (!this.#lines.line(gap, 0, isOwed)) {
      this.#missed++;
      return false;
    }
    this.#missed = 0;
    return true;
  }
}
