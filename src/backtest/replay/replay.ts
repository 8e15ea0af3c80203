/**
 * @module
 * Two cursors over the rows of one tape. The venue reads a row when it happened, the bot reads it again when it was
 * delivered; between the two lies the feed's latency. Rows become facts without an object for each. The bot may be ahead
 * of the venue, within a block.
 *
 *   tape ──► rows at exchange time ──► venue
 *                └──── delivered ─────► facts of the market ──► bot
 */
import type { Random, UnixMs } from '../../core/index.ts';
import type { FactSink } from '../../domain/index.ts';
import { EVENT, FLAG_END } from '../../tape/index.ts';
import type { LocalVenue } from '../../venue/index.ts';
import type { FeedLatency, ReplaySource } from '../types.ts';
import { createDelivery } from './delivery.ts';
import { MarketFeed } from './market-feed.ts';
import { type RowBlock, RowBlocks } from './row-blocks.ts';

// By name, so that a row is told apart without looking into an object.
const FEED = EVENT.feed;

/** What a replay reads and whom it feeds. */
export interface ReplayOptions {
  readonly tape: ReplaySource;
  readonly feed: FeedLatency;
  readonly random: Random;
  /** Rows that happened after this do not exist, Unix us. */
  readonly toUs: number;
  readonly venue: Pick<LocalVenue, 'onRow' | 'dueUs'>;
  /** Takes the facts of the markets, as the bot sees them. */
  readonly sink: FactSink;
}

/** See the module. Times are Unix us; `Infinity`: no more rows. */
export class Replay {
  readonly #venue: ReplayOptions['venue'];
  readonly #blocks: RowBlocks;
  readonly #tape: ReplaySource;
  readonly #tell: FactSink;
  readonly #feeds: readonly MarketFeed[];
  /** Blocks between the cursors, oldest first: the bot reads the first one, the venue the last. */
  readonly #held: RowBlock[] = [];
  #venueBlock: RowBlock | undefined;
  #venueRow = 0;
  #venueAtUs = Number.POSITIVE_INFINITY;
  #botBlock: RowBlock | undefined;
  #botRow = 0;
  #botAtUs = Number.POSITIVE_INFINITY;
  /** Rows of blocks that the venue is through with. */
  #rowsBefore = 0;
  /** Before the beginning rows are folded and nobody is told. */
  #isTelling = false;

  constructor(options: ReplayOptions) {
    const { tape, feed, random, toUs, venue, sink } = options;
    this.#venue = venue;
    this.#tape = tape;
    this.#blocks = new RowBlocks(tape.batches(), createDelivery(feed, random), toUs);
    this.#tell = (fact) => {
      if (this.#isTelling) sink(fact);
    };
    this.#feeds = tape.markets.map((market) => new MarketFeed(market, this.#tell));
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

  /** Reads all rows before `fromUs`: both sides know the market then. The bot is told what stands at `nowMs`. */
  skipTo(fromUs: number, nowMs: UnixMs): void {
    while (this.#venueAtUs < fromUs) {
      const block = this.#venueBlock;
      const row = this.#venueRow;
      if (block === undefined) break;
      this.#feedVenueRow(block, row);
      this.#feedBotRow(block, row, nowMs);
      this.#moveVenueTo(row + 1);
      this.#moveBotTo(row + 1);
    }
    this.#isTelling = true;
    for (const feed of this.#feeds) feed.tell(nowMs);
  }

  /** Gives the venue its rows up to `limitUs`, inclusive; stops early at what the venue itself has to do before a row. */
  feedVenue(limitUs: number): void {
    const block = this.#venueBlock;
    if (block === undefined) return;
    const venue = this.#venue;
    const { rows, kind, flags, market, exchangeUs, price, size, id } = block;
    let row = this.#venueRow;
    let atUs = this.#venueAtUs;
    do {
      // A feed is no matter of the venue, and its place is no market's.
      if (kind[row] !== FEED)
        venue.onRow(
          kind[row] as number,
          flags[row] as number,
          market[row] as number,
          atUs,
          price[row] as number,
          size[row] as number,
          id[row] as number,
        );
      row++;
      if (row === rows) break;
      atUs = exchangeUs[row] as number;
    } while (atUs <= limitUs && venue.dueUs >= atUs);
    this.#moveVenueTo(row);
  }

  /** Gives the bot its next frame, at `nowMs` of its clock. */
  feedBot(nowMs: UnixMs): void {
    let isEnd = false;
    // A frame may lie in two blocks.
    while (!isEnd) {
      const block = this.#botBlock;
      if (block === undefined) return;
      const { rows } = block;
      let row = this.#botRow;
      do {
        isEnd = this.#feedBotRow(block, row, nowMs);
        row++;
      } while (!isEnd && row < rows);
      this.#moveBotTo(row);
    }
  }

  #feedVenueRow({ kind, flags, market, exchangeUs, price, size, id }: RowBlock, row: number): void {
    if (kind[row] === FEED) return;
    this.#venue.onRow(
      kind[row] as number,
      flags[row] as number,
      market[row] as number,
      exchangeUs[row] as number,
      price[row] as number,
      size[row] as number,
      id[row] as number,
    );
  }

  /** True when the row is the last one of its frame. */
  #feedBotRow(block: RowBlock, row: number, nowMs: UnixMs): boolean {
    const isEnd = ((block.flags[row] as number) & FLAG_END) !== 0;
    if (block.kind[row] === FEED) {
      this.#feedValue(block.market[row] as number, block.id[row] as number, nowMs);
      return isEnd;
    }
    const feed = this.#feeds[block.market[row] as number] as MarketFeed;
    feed.row(block, row);
    if (isEnd) feed.end(nowMs);
    return isEnd;
  }

  #feedValue(place: number, line: number, nowMs: UnixMs): void {
    const feed = this.#tape.feeds?.[place];
    const text = this.#tape.feedLine?.(line);
    if (feed === undefined || text === undefined) return;
    this.#tell({ type: 'FeedReceived', feed, value: JSON.parse(text), atMs: nowMs });
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
      while (this.#venueBlock === block) this.feedVenue(Number.POSITIVE_INFINITY);
      this.#held.shift();
      this.#blocks.release(block);
      this.#nextBotBlock();
      return;
    }
    this.#botRow = row;
    this.#botAtUs = block.deliveryUs[row] as number;
  }

  /** The venue is through with the block before, so the next one is there unless the tape has ended. */
  #nextBotBlock(): void {
    const block = this.#held[0];
    this.#botBlock = block;
    this.#botRow = 0;
    this.#botAtUs = block === undefined ? Number.POSITIVE_INFINITY : (block.deliveryUs[0] as number);
  }
}
