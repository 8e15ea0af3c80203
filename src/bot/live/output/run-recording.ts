/**
 * @module
 * What a run records while it happens: raw frames, answers over REST, the rows of what the kernel sees of the markets beside
 * them, and the log of the run. A thread encodes and writes all of it.
 */
import type { Clock, Log } from '../../../core/index.ts';
import type { Fact, FeedFact, Market } from '../../../domain/index.ts';
import { type Recording, startRecording, tapeMarketOf } from '../../../tape/recorder/index.ts';
import type { AnswerTap } from '../../../wire/gateway/index.ts';
import { openRunLog, RUN_LOG_FILE, type RunLogWriter } from '../../replay/index.ts';

/** A recording at work. Nothing in it throws: what cannot be recorded is said, and never ends the run. */
export interface RunRecording extends Pick<Recording, 'stats' | 'trouble' | 'lost' | 'close'> {
  /** Takes a raw frame. */
  tap(text: string, receivedAtMs: number): void;
  /** Takes an answer over REST. */
  readonly onAnswer: AnswerTap;
  /** Says which markets the rows are of, and which feeds; rows begin here. */
  begin(markets: readonly Market[], feeds?: readonly string[]): void;
  /** Takes what the kernel is shown; facts about no market are left out. */
  take(fact: Fact): void;
  /** Begins the log of the run. Once. */
  openLog(): RunLogWriter;
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

/** How frames begin whose loss is a gap of the market alone. Everything else may not be lost. */
const OF_MARKETS = /^\{"channel":"(?:book|bbo|trades|prices|candles)"/;

/** Begins the tape of a run. @throws when the folder cannot be made or holds a tape. */
export function openRunRecording(options: RunRecordingOptions): RunRecording {
  return new LiveRecording(options);
}

class LiveRecording implements RunRecording {
  readonly onAnswer: AnswerTap;
  readonly #clock: Clock;
  readonly #recording: Recording;
  #feeds: readonly string[] = [];

  constructor({ folder, clock, log, description }: RunRecordingOptions) {
    this.#clock = clock;
    this.#recording = startRecording({ folder, log, description, logName: RUN_LOG_FILE });
    this.onAnswer = ({ method, path }, answer) => {
      const said =
        answer.kind === 'answer'
          ? { status: answer.status, body: answer.body }
          : { body: `${answer.kind}: ${answer.why}` };
      this.#recording.answer({ method, path, ...said }, this.#clock.nowMs());
    };
  }

  tap(text: string, receivedAtMs: number): void {
    this.#recording.frame(text, receivedAtMs, !OF_MARKETS.test(text));
  }

  begin(markets: readonly Market[], feeds: readonly string[] = []): void {
    this.#feeds = feeds;
    this.#recording.begin(markets.map(tapeMarketOf), feeds);
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
        this.#recording.fact(fact, this.#clock.nowMs());
        return;
      case 'FeedReceived':
        this.#takeFeed(fact);
    }
  }

  openLog(): RunLogWriter {
    return openRunLog(this.#recording.log);
  }

  stats(): ReturnType<Recording['stats']> {
    return this.#recording.stats();
  }

  trouble(): string | undefined {
    return this.#recording.trouble();
  }

  lost(): string | undefined {
    return this.#recording.lost();
  }

  close(): Promise<void> {
    return this.#recording.close();
  }

  #takeFeed({ feed, value }: FeedFact): void {
    const place = this.#feeds.indexOf(feed);
    if (place >= 0) this.#recording.feed(place, JSON.stringify(value), this.#clock.nowMs());
  }
}
