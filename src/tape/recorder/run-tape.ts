/**
 * @module
 * The tape of a run while it happens, in the thread that writes it: raw frames, answers, and the rows of what the kernel
 * sees of the markets beside them. Nothing in it throws: a disk that fails is reported and ends the rows.
 */
import { type Clock, type Log, messageOf, type Timer } from '../../core/index.ts';
import type { MarketFact } from '../../domain/index.ts';
import {
  createRowsWriter,
  type RecordedAnswer,
  type RowsWriter,
  type TapeFolder,
  type TapeMarket,
} from '../format/index.ts';
import { createFactColumns, type FactColumns } from './fact-columns.ts';
import { createRecorder, type TapeRecorder } from './recorder.ts';

/** What was recorded so far. */
export interface TapeStats {
  /** Rows of the markets. */
  readonly rows: number;
  /** Frames and answers. */
  readonly recorded: number;
  /** Of these not kept: they came faster than they could be written, or the disk failed. */
  readonly leftOut: number;
}

/** A kill takes what was not written for so long, and no more than a batch: to pack a small one costs nearly as much as a large one. */
const FLUSH_MS = 10_000;
const BATCH_ROWS = 32_768;

/** See the module. */
export class RunTape {
  readonly #log: Log;
  readonly #clock: Clock;
  readonly #recorder: TapeRecorder;
  readonly #timer: Timer;
  #rows: RowsWriter | undefined;
  #facts: FactColumns | undefined;
  #written = 0;

  constructor(tape: TapeFolder, { clock, log }: { readonly clock: Clock; readonly log: Log }) {
    this.#log = log;
    this.#clock = clock;
    this.#recorder = createRecorder(tape, { clock, log });
    this.#timer = this.#clock.every(FLUSH_MS, () => this.#guard((rows) => rows.flush()));
  }

  /** Takes a raw frame in UTF-8, which it does not keep. */
  frame(bytes: Uint8Array, receivedAtMs: number): void {
    this.#recorder.recordBytes(bytes, receivedAtMs);
  }

  /** Takes an answer over REST. */
  answer(answer: RecordedAnswer, atMs: number): void {
    this.#recorder.recordAnswer(answer, atMs);
  }

  /** So many frames and answers were lost on the way. */
  leaveOut(count: number): void {
    this.#recorder.leaveOut(count);
  }

  /** Says which markets the rows are of, and which feeds; rows begin here. */
  begin(markets: readonly TapeMarket[], feeds: readonly string[]): void {
    try {
      this.#recorder.tape.declare(markets, feeds);
      this.#rows = createRowsWriter(this.#recorder.tape, { batchRows: BATCH_ROWS });
      this.#facts = createFactColumns(this.#rows, markets);
    } catch (cause) {
      this.#log.error('rows of the market cannot be recorded', { error: messageOf(cause) });
    }
  }

  /** Takes what the kernel is shown of the markets. */
  fact(fact: MarketFact, atMs: number): void {
    this.#guard(() => this.#facts?.take(fact, atMs as Parameters<FactColumns['take']>[1]));
  }

  /** Takes a value of the feed at index `place`. */
  feed(place: number, json: string, atMs: number): void {
    this.#guard((rows) =>
      this.#facts?.takeFeed(place, rows.feedLine(json), atMs as Parameters<FactColumns['take']>[1]),
    );
  }

  stats(): TapeStats {
    return { rows: this.#rows?.rows ?? this.#written, ...this.#recorder.stats() };
  }

  /** Writes what waits and seals the tape. */
  async close(): Promise<void> {
    this.#timer.cancel();
    this.#guard((rows) => rows.close());
    try {
      await this.#recorder.close();
    } catch (cause) {
      const error = messageOf(cause);
      this.#log.error('the recording could not be closed: ballast tape verify --repair seals it', { error });
    }
  }

  /** Does `work` on the rows; a disk that fails ends them. */
  #guard(work: (rows: RowsWriter) => void): void {
    const rows = this.#rows;
    if (rows === undefined) return;
    try {
      work(rows);
    } catch (cause) {
      this.#written = rows.rows;
      this.#rows = undefined;
      this.#facts = undefined;
      this.#recorder.tape.note(`rows end here: ${messageOf(cause)}`);
      this.#log.error('rows of the market could not be recorded', { error: messageOf(cause) });
    }
  }
}
