/**
 * @module
 * The tape of a run while it happens: raw frames, answers over REST, and the rows of what the kernel sees of the
 * markets beside them.
 */
import { type Clock, type Log, messageOf, type Timer } from '../../../core/index.ts';
import type { Fact, FeedFact, Market } from '../../../domain/index.ts';
import { createRowsWriter, type RowsWriter } from '../../../tape/format/index.ts';
import {
  createFactColumns,
  createRecorder,
  type FactColumns,
  type TapeRecorder,
  tapeMarketOf,
} from '../../../tape/recorder/index.ts';
import type { AnswerTap } from '../../../wire/gateway/index.ts';

/** A recording at work. Nothing in it throws: a disk that fails is reported and ends the rows, never the run. */
export interface RunRecording {
  readonly recorder: TapeRecorder;
  /** Takes a raw frame. */
  tap(text: string, receivedAtMs: number): void;
  /** Takes an answer over REST. */
  readonly onAnswer: AnswerTap;
  /** Says which markets the rows are of, and which feeds; rows begin here. */
  begin(markets: readonly Market[], feeds?: readonly string[]): void;
  /** Takes what the kernel is shown; facts about no market are left out. */
  take(fact: Fact): void;
  /** Rows so far, and what the recorder kept and left out. */
  stats(): { readonly rows: number; readonly recorded: number; readonly leftOut: number };
  /** Writes what waits and seals the tape. */
  close(): Promise<void>;
}

/** Where to record, and what. */
export interface RunRecordingOptions {
  /** Folder of the recording. */
  readonly folder: string;
  readonly clock: Clock;
  readonly log: Log;
  /** What is recorded, in words. */
  readonly description: string;
}

/** Small batches: one must not hold the event loop, and a kill must not take much. */
const BATCH_ROWS = 4_096;
const FLUSH_MS = 10_000;

/** Begins the tape of a run. @throws when the folder cannot be made or holds a tape. */
export function openRunRecording(options: RunRecordingOptions): RunRecording {
  return new LiveRecording(options);
}

class LiveRecording implements RunRecording {
  readonly recorder: TapeRecorder;
  readonly onAnswer: AnswerTap;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #timer: Timer;
  #rows: RowsWriter | undefined;
  #facts: FactColumns | undefined;
  #feeds: readonly string[] = [];
  #written = 0;

  constructor(options: RunRecordingOptions) {
    this.#clock = options.clock;
    this.#log = options.log;
    this.recorder = createRecorder(options);
    this.onAnswer = ({ method, path }, answer) => {
      const said =
        answer.kind === 'answer'
          ? { status: answer.status, body: answer.body }
          : { body: `${answer.kind}: ${answer.why}` };
      this.recorder.recordAnswer({ method, path, ...said }, this.#clock.nowMs());
    };
    this.#timer = this.#clock.every(FLUSH_MS, () => this.#guard((rows) => rows.flush()));
  }

  tap(text: string, receivedAtMs: number): void {
    this.recorder.record(text, receivedAtMs);
  }

  begin(markets: readonly Market[], feeds: readonly string[] = []): void {
    const listed = markets.map(tapeMarketOf);
    this.#feeds = feeds;
    try {
      this.recorder.tape.declare(listed, feeds);
      this.#rows = createRowsWriter(this.recorder.tape, { batchRows: BATCH_ROWS });
      this.#facts = createFactColumns(this.#rows, listed);
    } catch (cause) {
      this.#log.error('rows of the market cannot be recorded', { error: messageOf(cause) });
    }
  }

  take(fact: Fact): void {
    switch (fact.type) {
      case 'MarketChanged':
      case 'BookUpdated':
      case 'BboUpdated':
      case 'TradePrinted':
      case 'PricesUpdated':
      case 'CandleUpdated':
      case 'FundingSettled':
      case 'MarketStale':
        this.#guard(() => this.#facts?.take(fact, this.#clock.nowMs()));
        return;
      case 'FeedReceived':
        this.#guard((rows) => this.#takeFeed(rows, fact));
    }
  }

  stats(): { readonly rows: number; readonly recorded: number; readonly leftOut: number } {
    return { rows: this.#rows?.rows ?? this.#written, ...this.recorder.stats() };
  }

  async close(): Promise<void> {
    this.#timer.cancel();
    this.#guard((rows) => rows.close());
    try {
      await this.recorder.close();
    } catch (cause) {
      const error = messageOf(cause);
      this.#log.error('the recording could not be closed: ballast tape verify --repair seals it', { error });
    }
  }

  #takeFeed(rows: RowsWriter, { feed, value }: FeedFact): void {
    const place = this.#feeds.indexOf(feed);
    if (place >= 0) this.#facts?.takeFeed(place, rows.feedLine(JSON.stringify(value)), this.#clock.nowMs());
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
      this.recorder.tape.note(`rows end here: ${messageOf(cause)}`);
      this.#log.error('rows of the market could not be recorded', { error: messageOf(cause) });
    }
  }
}
