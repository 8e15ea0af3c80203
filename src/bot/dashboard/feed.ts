/**
 * @module
 * One stream of views for all pages that are open: a view is made twice a second, only while somebody reads, and its text
 * goes to each reader. A reader that does not keep up is dropped, never waited for; it can come again.
 */
import type { Clock, Timer } from '../../core/index.ts';

/** Who reads. */
export interface FeedReader {
  /** Takes text; it is not waited for. */
  write(text: string): void;
  /** Bytes that were written and have not left. */
  waiting(): number;
  /** Ends it at once: it has not kept up, or the run is over. */
  drop(): void;
}

/** What a feed is made of. */
export interface FeedOptions {
  readonly clock: Clock;
  /** What a reader gets first: the past too. */
  first(): string;
  /** What all readers get now. */
  next(): string;
  /** One of these has thrown: the readers are dropped, and the run goes on. */
  onFault(thrown: unknown): void;
}

/** Between two views, ms. */
const PERIOD_MS = 500;
/** A reader with more than this before it has not kept up for seconds. */
const WAITING_BYTES_MAX = 1_000_000;
const READERS_MAX = 8;

/** See the module. */
export class Feed {
  readonly #options: FeedOptions;
  readonly #readers = new Set<FeedReader>();
  #timer: Timer | undefined;

  constructor(options: FeedOptions) {
    this.#options = options;
  }

  /** Adds a reader; the oldest one leaves where there are too many. */
  join(reader: FeedReader): void {
    const [oldest] = this.#readers;
    if (oldest !== undefined && this.#readers.size >= READERS_MAX) this.#drop(oldest);
    this.#readers.add(reader);
    const text = this.#made(() => this.#options.first());
    if (text === undefined) return;
    reader.write(text);
    this.#timer ??= this.#options.clock.every(PERIOD_MS, () => this.#tell());
  }

  /** Removes a reader that has gone. */
  leave(reader: FeedReader): void {
    this.#readers.delete(reader);
    if (this.#readers.size > 0) return;
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  /** True if nobody reads. */
  get isIdle(): boolean {
    return this.#readers.size === 0;
  }

  /** Ends it for all: the run is over. */
  close(): void {
    for (const reader of this.#readers) this.#drop(reader);
  }

  #tell(): void {
    const text = this.#made(() => this.#options.next());
    if (text === undefined) return;
    for (const reader of this.#readers)
      if (reader.waiting() > WAITING_BYTES_MAX) this.#drop(reader);
      else reader.write(text);
  }

  /** What is shown of a run never ends it. */
  #made(make: () => string): string | undefined {
    try {
      return make();
    } catch (thrown) {
      this.#options.onFault(thrown);
      this.close();
      return undefined;
    }
  }

  #drop(reader: FeedReader): void {
    this.leave(reader);
    reader.drop();
  }
}
