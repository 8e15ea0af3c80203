/**
 * @module
 * A recording as a run holds it: a tape and the log of the run, encoded, packed and written by a thread of its own. To hand
 * something over costs about as much as to copy it, and never waits. What is lost where the thread does not follow is told:
 * as a gap of the raw frames and a hole in the rows of its market. Frames of accounts, answers over REST and values of feeds
 * are never lost while the thread lives. Of the log of the run only a very long jam loses entries; who makes them is told.
 *
 * A thread that ends is a state of the recording, never of the run: the tape is as a kill leaves it.
 */
import { Worker } from 'node:worker_threads';
import { byteRingMemory, type Log, ownModule, SystemClock, type Timer } from '../../core/index.ts';
import type { MarketFact, MarketSymbol } from '../../domain/index.ts';
import { createTapeFolder, type RecordedAnswer, type TapeMarket } from '../format/index.ts';
import { symbolOf } from './fact-columns.ts';
import { HAND_OVER_BYTES, HandOver, RECORD } from './hand-over.ts';
import type { LogLines } from './log-lines.ts';
import { type FromRecorder, type RecordingSettings, SharedCounts, type ToRecorder } from './messages.ts';
import type { TapeStats } from './run-tape.ts';

/** See the module. Nothing in it throws. */
export interface Recording {
  /** Takes a raw frame. `isOwed`: it may not be lost. */
  frame(text: string, receivedAtMs: number, isOwed: boolean): void;
  /** Takes an answer over REST. */
  answer(answer: RecordedAnswer, atMs: number): void;
  /** Says which markets the rows are of, and which feeds; rows begin here. */
  begin(markets: readonly TapeMarket[], feeds: readonly string[]): void;
  /** Takes what the kernel is shown of the markets. */
  fact(fact: MarketFact, atMs: number): void;
  /** Takes a value of the feed at index `place`, as JSON. */
  feed(place: number, json: string, atMs: number): void;
  /** The log of the run. */
  readonly log: LogLines;
  stats(): TapeStats;
  /** In words, why what comes now is not recorded, or not all of it; `undefined`: it is. */
  trouble(): string | undefined;
  /** In words, what was not recorded since the start; `undefined`: all was. */
  lost(): string | undefined;
  /** Writes what waits and seals the tape. */
  close(): Promise<void>;
}

/** Where to record, and what. */
export interface RecordingOptions {
  /** Folder of the recording; made if it is not there. */
  readonly folder: string;
  /** Name of the log of the run. */
  readonly logName: string;
  readonly log: Log;
  /** What is recorded, in words. */
  readonly description: string;
  /** Bytes under way at most, a power of two. */
  readonly handOverBytes?: number;
}

/** Of the thread, which needs little at a time: the launcher gives the run four times as much. */
const YOUNG_MB = 16;
/** How often what waits on this side is tried again. */
const DRAIN_MS = 50;
/** How long a loss is said after the last one. */
const LOSS_SHOWN_MS = 60_000;
const LOG_KINDS = { line: RECORD.line, numbers: RECORD.numbers } as const;

/** Begins a tape, and the thread that writes it. @throws when the folder cannot be made or holds a tape. */
export function startRecording(options: RecordingOptions): Recording {
  return new ThreadRecording(options);
}

class ThreadRecording implements Recording {
  readonly log: LogLines;
  /** Of the machine: the thread is on it, whatever time the run has. */
  readonly #clock = new SystemClock();
  readonly #log: Log;
  readonly #handOver: HandOver;
  readonly #counts: SharedCounts;
  readonly #worker: Worker;
  readonly #timer: Timer;
  readonly #asked = new Map<number, () => void>();
  #nextId = 1;
  /** Frames and answers that were given, and of them those that were not taken. */
  #given = 0;
  #lost = 0;
  /** Of {@link #lost}, those that the thread was not told of yet. */
  #untold = 0;
  /** Markets of which rows were lost. */
  readonly #holes = new Set<MarketSymbol>();
  #holesMade = 0;
  #lostAtMs = Number.NEGATIVE_INFINITY;
  /** What the thread could not do. */
  #failure: string | undefined;
  #isEnded = false;
  #isClosing = false;

  constructor({ folder, description, logName, log, handOverBytes = HAND_OVER_BYTES }: RecordingOptions) {
    createTapeFolder({ folder, markets: [], source: { kind: 'recorded', description } });
    this.#log = log;
    const memory = byteRingMemory(handOverBytes);
    const counts = SharedCounts.memory();
    this.#handOver = new HandOver(memory);
    this.#counts = new SharedCounts(counts);
    const settings: RecordingSettings = { folder, description, logName, memory, counts };
    this.#worker = new Worker(ownModule('tape/recorder/recording-thread'), {
      ...{ workerData: settings, execArgv: [], name: 'recording' },
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
    });
    this.#worker.on('message', (message: FromRecorder) => this.#hear(message));
    this.#worker.on('error', (error) => this.#end(error instanceof Error ? error.message : String(error)));
    this.#worker.on('exit', () => this.#end('it ended'));
    this.#timer = this.#clock.every(DRAIN_MS, () => this.#drain());
    this.log = this.#lines();
  }

  frame(text: string, receivedAtMs: number, isOwed: boolean): void {
    this.#given++;
    if (this.#isEnded) this.#lost++;
    else if (isOwed) this.#owe(RECORD.frame, text, receivedAtMs);
    else if (!this.#tellLosses(receivedAtMs) || !this.#handOver.offer(RECORD.frame, text, receivedAtMs))
      this.#lose(1);
  }

  answer(answer: RecordedAnswer, atMs: number): void {
    this.#given++;
    if (this.#isEnded) this.#lost++;
    else this.#owe(RECORD.answer, JSON.stringify(answer), atMs);
  }

  begin(markets: readonly TapeMarket[], feeds: readonly string[]): void {
    this.#owe(RECORD.begin, JSON.stringify({ markets, feeds }), 0);
  }

  fact(fact: MarketFact, atMs: number): void {
    if (this.#isEnded) return;
    if (fact.type === 'BookUpdated') {
      const { book } = fact;
      const isTaken = this.#tellLosses(atMs) && this.#handOver.offer(RECORD.book, book.symbol, atMs, book);
      if (!isTaken) this.#loseRows(book.symbol);
    } else if (fact.type === 'MarketChanged') {
      // Rows need no more of it, and the rest has numbers that JSON has not.
      const { symbol, status } = fact.market;
      this.#owe(RECORD.fact, JSON.stringify({ type: fact.type, market: { symbol, status } }), atMs);
    } else if (fact.type === 'MarketStale' || fact.type === 'FundingSettled') {
      this.#owe(RECORD.fact, JSON.stringify(fact), atMs);
    } else if (!this.#tellLosses(atMs) || !this.#handOver.offer(RECORD.fact, JSON.stringify(fact), atMs))
      this.#loseRows(symbolOf(fact));
  }

  feed(place: number, json: string, atMs: number): void {
    this.#owe(RECORD.feed, `${place} ${json}`, atMs);
  }

  stats(): TapeStats {
    const { rows, recorded, leftOut } = this.#counts.read();
    // What the thread was told of as lost is in its own count, too.
    const lostThere = leftOut - (this.#lost - this.#untold);
    const isOver = this.#isEnded || this.#isClosing;
    const kept = isOver ? recorded : this.#given - this.#lost - Math.max(0, lostThere);
    return { rows, recorded: kept, leftOut: this.#given - kept };
  }

  trouble(): string | undefined {
    if (this.#failure !== undefined) return this.#failure;
    if (this.#clock.monotonicMs() - this.#lostAtMs > LOSS_SHOWN_MS) return undefined;
    return `the thread that records does not follow: ${this.#lost} frames were left out so far`;
  }

  lost(): string | undefined {
    const { leftOut } = this.stats();
    const parts = [
      ...(leftOut > 0 ? [`${leftOut} frames and answers were left out`] : []),
      ...(this.#holesMade > 0 ? [`the rows of markets have ${this.#holesMade} holes for it`] : []),
      ...(this.#failure === undefined ? [] : [this.#failure]),
    ];
    return parts.length === 0 ? undefined : parts.join('; ');
  }

  async close(): Promise<void> {
    this.#timer.cancel();
    await this.#handAllOver();
    this.#isClosing = true;
    await this.#ask('close');
    await this.#worker.terminate();
  }

  #lines(): LogLines {
    const handOver = this.#handOver;
    const settled = async (what: ToRecorder['what']): Promise<void> => {
      await this.#handAllOver();
      await this.#ask(what);
    };
    return {
      line: (text, atMs, isOwed) => {
        if (this.#isEnded) return true;
        if (!isOwed) return handOver.oweUnlessMany(LOG_KINDS.line, text, atMs);
        handOver.owe(LOG_KINDS.line, text, atMs);
        return true;
      },
      numbers: (template, book, atMs) =>
        this.#isEnded || handOver.oweUnlessMany(LOG_KINDS.numbers, template, atMs, book),
      get waiting() {
        return handOver.waiting;
      },
      flush: () => settled('flush log'),
      close: () => settled('close log'),
    };
  }

  #owe(kind: (typeof RECORD)[keyof typeof RECORD], text: string, atMs: number): void {
    if (this.#isEnded) return;
    this.#tellLosses(atMs);
    this.#handOver.owe(kind, text, atMs);
  }

  #lose(frames: number): void {
    if (this.#lostAtMs === Number.NEGATIVE_INFINITY)
      this.#log.warn('the thread that records does not follow: frames are left out', {});
    this.#lost += frames;
    this.#untold += frames;
    this.#lostAtMs = this.#clock.monotonicMs();
  }

  #loseRows(symbol: MarketSymbol): void {
    if (!this.#holes.has(symbol)) this.#holesMade++;
    this.#holes.add(symbol);
    this.#lostAtMs = this.#clock.monotonicMs();
  }

  /** Says what was lost, where there is room again. False: there is none. */
  #tellLosses(atMs: number): boolean {
    if (this.#untold === 0 && this.#holes.size === 0) return true;
    if (!this.#handOver.hasRoom) return false;
    if (this.#untold > 0) this.#handOver.owe(RECORD.gap, String(this.#untold), atMs);
    this.#untold = 0;
    for (const symbol of this.#holes)
      this.#handOver.owe(RECORD.fact, JSON.stringify({ type: 'MarketStale', symbol, reason: '' }), atMs);
    this.#holes.clear();
    return true;
  }

  #drain(): void {
    if (this.#isEnded) return;
    this.#handOver.drain();
    this.#tellLosses(this.#clock.nowMs());
  }

  /** Resolves when nothing waits on this side any more. */
  async #handAllOver(): Promise<void> {
    while (!this.#isEnded) {
      this.#handOver.drain();
      if (this.#tellLosses(this.#clock.nowMs()) && this.#handOver.waiting === 0) return;
      await new Promise<void>((resolve) => this.#clock.after(1, resolve));
    }
  }

  async #ask(what: ToRecorder['what']): Promise<void> {
    if (this.#isEnded) return;
    const id = this.#nextId++;
    await new Promise<void>((resolve) => {
      this.#asked.set(id, resolve);
      this.#worker.postMessage({ id, what } satisfies ToRecorder);
    });
  }

  #hear(message: FromRecorder): void {
    if (message.kind === 'done') {
      this.#asked.get(message.id)?.();
      this.#asked.delete(message.id);
      return;
    }
    const { level, message: text, fields } = message;
    if (level === 'error') this.#failure = `${text}: ${String(fields?.['error'] ?? '')}`;
    this.#log[level](text, fields);
  }

  #end(why: string): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#timer.cancel();
    this.#handOver.drop();
    for (const resolve of this.#asked.values()) resolve();
    this.#asked.clear();
    if (this.#isClosing) return;
    this.#failure = `the thread that records has ended, and nothing more is recorded: ${why}`;
    this.#log.error(`${this.#failure}. The run goes on; ballast tape verify --repair seals what there is`);
  }
}
