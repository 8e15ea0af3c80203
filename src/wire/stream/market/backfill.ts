/**
 * @module
 * Fetches what a market channel missed, by REST, once at a time and with growing pauses (obligations O103, O118). An
 * older fetch that comes back after a newer interruption is dropped.
 */
import { messageOf, type Timer } from '../../../core/index.ts';
import type { Decoded } from '../../protocol/index.ts';
import { Backoff } from '../backoff.ts';
import type { ReadResult } from '../ports.ts';
import type { MarketStreamOptions } from './market-stream.ts';

const PAUSE_MS_FIRST = 250;
const PAUSE_MS_MAX = 4_000;

/** One source of history and what to do with it. */
export interface BackfillSource<T> {
  /** Name for logs. */
  readonly name: string;
  /** Fetches the data as text. */
  read(): Promise<ReadResult>;
  /** Decodes the text. */
  decode(text: string): Decoded<T>;
  /** Why what came does not do and is asked for again; `undefined`: it does. Absent: all does. */
  lackOf?(value: T): string | undefined;
  /** Called once for each {@link Backfill.begin} that was not given up. */
  done(value: T): void;
}

/** Repeats one fetch until it works. */
export class Backfill<T> {
  readonly #source: BackfillSource<T>;
  readonly #options: MarketStreamOptions;
  readonly #backoff: Backoff;
  #ordinal = 0;
  #isRunning = false;
  /** True while a request is out. It is one at most, however often frames are lost meanwhile. */
  #isReading = false;
  #timer: Timer | undefined;

  constructor(source: BackfillSource<T>, options: MarketStreamOptions) {
    this.#source = source;
    this.#options = options;
    this.#backoff = new Backoff({ firstMs: PAUSE_MS_FIRST, maxMs: PAUSE_MS_MAX, random: options.random });
  }

  /** True while a fetch is under way. */
  get isRunning(): boolean {
    return this.#isRunning;
  }

  /** Starts a fetch; one that runs is given up, and the new one asks once the request of that is over. */
  begin(): void {
    this.cancel();
    this.#isRunning = true;
    if (!this.#isReading) this.#attempt(this.#ordinal);
  }

  /** Gives the fetch up. */
  cancel(): void {
    this.#ordinal++;
    this.#isRunning = false;
    this.#timer?.cancel();
  }

  #attempt(ordinal: number): void {
    this.#isReading = true;
    this.#source
      .read()
      .finally(() => {
        this.#isReading = false;
        if (ordinal !== this.#ordinal && this.#isRunning) this.#attempt(this.#ordinal);
      })
      .then((result) => this.#take(result, ordinal))
      .catch((thrown: unknown) => {
        this.#options.log.error('a backfill failed', { source: this.#source.name, why: messageOf(thrown) });
        this.#again('failed', undefined, ordinal);
      });
  }

  #take(result: ReadResult, ordinal: number): void {
    if (ordinal !== this.#ordinal) return;
    if (result.kind === 'retry') {
      this.#again(result.why, result.afterMs, ordinal);
      return;
    }
    const decoded = this.#source.decode(result.text);
    if (!decoded.ok) {
      this.#again(decoded.error.message, undefined, ordinal);
      return;
    }
    const lack = this.#source.lackOf?.(decoded.value);
    if (lack !== undefined) {
      this.#again(lack, undefined, ordinal);
      return;
    }
    this.#isRunning = false;
    this.#backoff.reset();
    this.#source.done(decoded.value);
  }

  #again(why: string, statedMs: number | undefined, ordinal: number): void {
    if (ordinal !== this.#ordinal) return;
    const pauseMs = Math.max(this.#backoff.next(), statedMs ?? 0);
    this.#options.log.debug('a backfill waits', { source: this.#source.name, why, pauseMs });
    this.#timer = this.#options.clock.after(pauseMs, () => this.#attempt(ordinal));
  }
}
