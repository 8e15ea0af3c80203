/**
 * @module
 * Two cursors over the rows of one tape. The venue reads a row when it happened, the bot reads it again when it was
 * delivered; the feed's latency is between the two. Rows become facts without an object for each. The bot may be ahead
 * of the venue, within a block.
 *
 *   tape ──► rows at exchange time ──► venue
 *                └──── delivered ─────► facts of the market ──► bot
 */
import type { Random } from '../../../core/index.ts';
import { type FactSink, type MarketSink, marketSinkOf } from '../../../domain/index.ts';
import { EVENT, FLAG_END } from '../../../tape/format/index.ts';
import type { EmittedLevels, LocalVenue } from '../../venue/index.ts';
import type { FeedLatency, ReplaySource } from '../types.ts';
import { createDelivery, type FeedClockCheck } from './delivery.ts';
import { type FeedClock, MarketFeed } from './market-feed.ts';
import { type RowBlock, RowBlocks } from './row-blocks.ts';
import { RowsAhead } from './rows-ahead.ts';

// By name, so that a row's kind is known without an object lookup. The two kinds of levels are the first ones.
const FEED = EVENT.feed;
const ASK_LEVEL = EVENT.askLevel;
const END = FLAG_END;

/** Fewer rows of a market than this the venue takes in one by one: showing it a whole book costs as much. */
const PASSED_ROWS_MIN = 256;
const NO_ROWS = new Int32Array();
/** Kinds of rows that leave a book as it is, or change a level of it: 1. */
const IS_PLAIN = new Uint8Array(256).fill(1);
for (const kind of [
  EVENT.bookReset,
  EVENT.hole,
  EVENT.bidOrder,
  EVENT.askOrder,
  EVENT.orderReduced,
  EVENT.orderExecuted,
  EVENT.orderDeleted,
])
  IS_PLAIN[kind] = 0;

/** What a replay reads and whom it feeds. */
export interface TapeReplayOptions {
  /** The recorded rows. */
  readonly tape: ReplaySource;
  /** Latency of market data. */
  readonly feed: FeedLatency;
  /** Random generator; the same seed gives the same run. */
  readonly random: Random;
  /** The bot's. It is set to the time of each frame when that is given to the bot. */
  readonly clock: FeedClock;
  /** Rows that happened after this do not exist, Unix us. */
  readonly toUs: number;
  readonly venue: Pick<LocalVenue, 'takeRows' | 'passRows' | 'dueUs' | 'leadUs'>;
  /** Takes the facts of the markets, as the bot sees them. */
  readonly sink: FactSink;
  /** Takes books and trades instead of `sink`. Default: that. */
  readonly marketSink?: MarketSink;
}

/** Whose time passes with the frames of the bot. */
export interface FrameTime {
  /** When the bot's next timer is due, Unix us; Infinity: none is. */
  readonly timerUs: number;
  /** The same by the clock: cheaper to ask whether it has changed. */
  readonly dueMs: number;
  /** Moves on to a time, Unix us. */
  moveTo(us: number): void;
}

/** See the module. Times are Unix us; `Infinity`: no more rows. */
export class Replay {
  readonly #venue: TapeReplayOptions['venue'];
  readonly #blocks: RowBlocks;
  readonly #tape: ReplaySource;
  readonly #sink: FactSink;
  readonly #marketSink: MarketSink;
  readonly #clock: FeedClock;
  readonly #feeds: readonly MarketFeed[];
  /** For each market what the bot's rows contained. */
  readonly #levels: readonly EmittedLevels[];
  /** Blocks between the cursors, oldest first: the bot reads the first one, the venue the last. */
  readonly #held: RowBlock[] = [];
  #venueBlock: RowBlock | undefined;
  #venueRow = 0;
  #venueAtUs = Number.POSITIVE_INFINITY;
  #botBlock: RowBlock | undefined;
  #botRow = 0;
  #botAtUs = Number.POSITIVE_INFINITY;
  readonly #ahead = new RowsAhead();
  /** From here on the bot's rows of this block left books as they were, or changed levels of them. */
  #plainRow = 0;
  /** Which of those are no levels. */
  #others = NO_ROWS;
  #otherCount = 0;
  /** Rows of blocks that the venue is through with. */
  #rowsBefore = 0;
  /** Before the beginning rows are applied and nothing is emitted. */
  #isTelling = false;

  constructor(options: TapeReplayOptions) {
    const { tape, feed, random, clock, toUs, venue, sink } = options;
    this.#venue = venue;
    this.#tape = tape;
    this.#clock = clock;
    this.#blocks = new RowBlocks(tape.batches(), createDelivery(feed, random), toUs);
    this.#sink = sink;
    this.#marketSink = options.marketSink ?? marketSinkOf(sink);
    this.#feeds = tape.markets.map((market) => new MarketFeed(market, clock));
    this.#levels = this.#feeds.map(({ levels }) => levels);
    this.#nextVenueBlock();
    this.#nextBotBlock();
  }

  /** When the venue's next row happened. */
  get venueAtUs(): number {
    return this.#venueAtUs;
  }

  /** When the bot's next row is delivered. */
  get botAtUs(): number {
    return this.#botAtUs;
  }

  /** Rows that the venue has read. */
  get rowCount(): number {
    return this.#rowsBefore + this.#venueRow;
  }

  /** The recorder's clock against the exchange's so far; `undefined`: the feed's latency is modeled. */
  get feedClock(): FeedClockCheck | undefined {
    return this.#blocks.feedClock;
  }

  /** Reads all rows before `fromUs`: both sides know the market then. The bot receives the current state. */
  skipTo(fromUs: number): void {
    while (this.#venueAtUs < fromUs) {
      const block = this.#venueBlock;
      const row = this.#venueRow;
      if (block === undefined) break;
      this.#venue.takeRows(block, row, row + 1, Number.POSITIVE_INFINITY);
      this.#feedBotRow(block, row);
      this.#moveVenueTo(row + 1);
      this.#moveBotTo(row + 1);
    }
    this.#isTelling = true;
    for (const feed of this.#feeds) feed.begin(this.#sink, this.#marketSink);
  }

  /** Gives the venue its rows up to `limitUs`, inclusive; stops early at what the venue itself has to do before a row. */
  feedVenue(limitUs: number): void {
    const block = this.#venueBlock;
    if (block === undefined) return;
    if (block === this.#botBlock && this.#botRow > this.#venueRow) {
      this.#passVenue(block, this.#botRow);
      if (this.#venueAtUs > limitUs) return;
    }
    const row = this.#venue.takeRows(block, this.#venueRow, block.rows, limitUs);
    this.#moveVenueTo(row);
  }

  /** Gives the bot its next frame, at the time of its clock. */
  feedBot(): void {
    let isEnd = false;
    // A frame may span two blocks.
    while (!isEnd) {
      const block = this.#botBlock;
      if (block === undefined) return;
      const { rows } = block;
      let row = this.#botRow;
      do {
        isEnd = this.#feedBotRow(block, row);
        row++;
      } while (!isEnd && row < rows);
      this.#moveBotTo(row);
    }
  }

  /**
   * Gives the bot its frames while nothing comes between them: no timer, nothing that the venue has to do, no row at
   * the venue of which the bot could hear before. At most until the end of a block; false when there was none to give.
   */
  feedAhead(time: FrameTime): boolean {
    const block = this.#botBlock;
    if (block === undefined) return false;
    const venue = this.#venue;
    let atUs = this.#botAtUs;
    let { timerUs } = time;
    let { dueUs } = venue;
    // Of the venue's rows the bot hears so much later; only the venue's own actions change that.
    const heardUs = this.#venueAtUs + venue.leadUs;
    if (atUs >= heardUs || atUs > timerUs || atUs >= dueUs) return false;
    const feeds = this.#feeds;
    const { rows, kind, flags, market, price, size, deliveryUs, delayUs } = block;
    const isMany = feeds.length > 1;
    let feed = feeds[0] as MarketFeed;
    let { dueMs } = time;
    let row = this.#botRow;
    this.#ahead.from(row, block);
    let isEnd: boolean;
    do {
      time.moveTo(atUs);
      do {
        const what = kind[row] as number;
        if (what <= ASK_LEVEL) {
          if (isMany) feed = feeds[market[row] as number] as MarketFeed;
          feed.setLevel(what, price[row] as number, size[row] as number);
          isEnd = ((flags[row] as number) & END) !== 0;
          if (isEnd) feed.end();
        } else isEnd = this.#feedBotRow(block, row);
        row++;
      } while (!isEnd && row < rows);
      if (row === rows) break;
      atUs = (deliveryUs[row] as number) + delayUs;
      // What the bot does with a frame can bring the next timer or an arrival forward.
      dueUs = venue.dueUs;
      if (time.dueMs !== dueMs) {
        dueMs = time.dueMs;
        timerUs = time.timerUs;
      }
    } while (atUs < heardUs && atUs <= timerUs && atUs < dueUs);
    this.#moveBotTo(row);
    if (!isEnd) this.feedBot();
    return true;
  }

  /**
   * The bot is before row `to`, ahead of the venue by more than a few: what it has applied is handed over where the
   * venue takes it. What changes a book as a whole is taken in row by row.
   */
  #passVenue(block: RowBlock, to: number): void {
    const rowsMin = PASSED_ROWS_MIN * this.#feeds.length;
    if (to - this.#venueRow < rowsMin || this.#venue.leadUs !== Number.POSITIVE_INFINITY) return;
    const from = Math.max(this.#venueRow, this.#plainRow);
    if (to - from < rowsMin) return;
    for (let row = this.#venueRow; row < from; row++)
      this.#venue.takeRows(block, row, row + 1, Number.POSITIVE_INFINITY);
    const others = this.#others.subarray(0, this.#otherCount);
    const first = others.findIndex((row) => row >= from);
    const isPassed = this.#venue.passRows(block, first < 0 ? NO_ROWS : others.subarray(first), this.#levels);
    this.#moveVenueTo(isPassed ? to : from);
  }

  /** True when the row is the last one of its frame. */
  #feedBotRow(block: RowBlock, row: number): boolean {
    const { kind, flags, market, exchangeUs, price, size, id } = block;
    const what = kind[row] as number;
    const isEnd = ((flags[row] as number) & END) !== 0;
    if (IS_PLAIN[what] === 0) {
      this.#plainRow = row + 1;
      this.#otherCount = 0;
    } else if (what > ASK_LEVEL) this.#others[this.#otherCount++] = row;
    if (what === FEED) this.#feedValue(market[row] as number, id[row] as number);
    else {
      const feed = this.#feeds[market[row] as number] as MarketFeed;
      const us = exchangeUs[row] as number;
      feed.row(what, us, price[row] as number, size[row] as number, id[row] as number);
      if (isEnd) feed.end();
    }
    return isEnd;
  }

  #feedValue(place: number, line: number): void {
    const feed = this.#tape.feeds?.[place];
    const text = this.#tape.feedLine?.(line);
    if (feed === undefined || text === undefined || !this.#isTelling) return;
    this.#sink({ type: 'FeedReceived', feed, value: JSON.parse(text), atMs: this.#clock.nowMs() });
  }

  #moveVenueTo(row: number): void {
    const block = this.#venueBlock;
    if (block === undefined) return;
    if (row === block.rows) {
      this.#rowsBefore += row;
      this.#nextVenueBlock();
      return;
    }
    this.#venueRow = row;
    this.#venueAtUs = block.exchangeUs[row] as number;
  }

  #nextVenueBlock(): void {
    const block = this.#blocks.next();
    this.#venueBlock = block;
    this.#venueRow = 0;
    this.#venueAtUs = block === undefined ? Number.POSITIVE_INFINITY : (block.exchangeUs[0] as number);
    if (block !== undefined) this.#held.push(block);
  }

  #moveBotTo(row: number): void {
    const block = this.#botBlock;
    if (block === undefined) return;
    if (row === block.rows) {
      // Where the bot was ahead, the venue takes in what is left of the block.
      if (this.#venueBlock === block) this.#passVenue(block, row);
      while (this.#venueBlock === block) this.feedVenue(Number.POSITIVE_INFINITY);
      this.#held.shift();
      this.#blocks.release(block);
      this.#nextBotBlock();
      return;
    }
    this.#botRow = row;
    this.#botAtUs = deliveredUs(block, row);
  }

  /** The venue is through with the block before, so the next one is there unless the tape has ended. */
  #nextBotBlock(): void {
    const block = this.#held[0];
    this.#botBlock = block;
    this.#botRow = 0;
    this.#ahead.restart();
    this.#plainRow = 0;
    this.#otherCount = 0;
    if (block !== undefined && block.rows > this.#others.length) this.#others = new Int32Array(block.rows);
    this.#botAtUs = block === undefined ? Number.POSITIVE_INFINITY : deliveredUs(block, 0);
  }
}

function deliveredUs({ deliveryUs, delayUs }: RowBlock, row: number): number {
  return (deliveryUs[row] as number) + delayUs;
}
