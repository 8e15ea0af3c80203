/**
 * @module
 * A seeded log of events as tapes hold them: 92 % changes of levels, 8 % trades, in a market that wanders; and the bare
 * loop over it, which is the yardstick: columns, a book on a tick window, a callback.
 */
import { seededRandom } from '../../../src/core/index.ts';
import { LevelBook, type Lots, type Side, type Ticks } from '../../../src/domain/index.ts';
import { BATCH_ROWS_MAX, EVENT, type EventBatch, FLAG_END } from '../../../src/tape/format/index.ts';

/** The first exchange time of a log, Unix us. */
export const LOG_FROM_US = 1_790_000_000_000_000;
const MIDDLE = 665_536;
const BASE = 600_000;
const SPAN = 1 << 17;

/** How a log is made. */
export interface LogOptions {
  readonly rows: number;
  readonly seed: string;
  /** Markets; each has its own book. Default 1. */
  readonly markets?: number;
  /** Mean time between two events, us. Default 300, as in the yardstick. */
  readonly gapUs?: number;
  /** Batches are used again after so many: for a reader that is never farther behind. Default: never. */
  readonly ring?: number;
}

/** A log in batches of the tape's size. */
export function eventLog(options: LogOptions): readonly EventBatch[] {
  return [...eventLogBatches(options)];
}

/** The same, batch by batch. */
export function* eventLogBatches(options: LogOptions): Generator<EventBatch> {
  const log = new LogWriter(options);
  for (let rows = options.rows; rows > 0; rows -= BATCH_ROWS_MAX)
    yield log.batch(Math.min(rows, BATCH_ROWS_MAX));
}

class LogWriter {
  readonly #random;
  readonly #books: readonly { readonly book: LevelBook; middle: number }[];
  readonly #gapUs: number;
  readonly #ring: number;
  readonly #used: EventBatch[] = [];
  #count = 0;
  #atUs = LOG_FROM_US;
  #tradeId = 0;
  #batch: EventBatch = emptyBatch(0);
  #row = 0;

  constructor({ seed, markets = 1, gapUs = 300, ring = 0 }: LogOptions) {
    this.#ring = ring;
    this.#random = seededRandom(seed);
    this.#gapUs = gapUs;
    this.#books = Array.from({ length: markets }, () => ({ book: new LevelBook(), middle: MIDDLE }));
  }

  batch(rows: number): EventBatch {
    this.#batch = this.#next(rows);
    this.#row = 0;
    while (this.#row < rows) this.#event(this.#row === 0 && this.#atUs === LOG_FROM_US);
    return this.#batch;
  }

  #next(rows: number): EventBatch {
    if (this.#ring === 0) return emptyBatch(rows);
    const at = this.#count++ % this.#ring;
    this.#used[at] ??= emptyBatch(BATCH_ROWS_MAX);
    return { ...this.#used[at]!, rows };
  }

  #event(isFirst: boolean): void {
    const random = this.#random;
    if (isFirst) {
      for (let market = 0; market < this.#books.length; market++)
        this.#write(EVENT.bookReset, market, { price: 0, size: 0, isEnd: true });
    }
    this.#atUs += Math.round(random.next() * 2 * this.#gapUs);
    const market = this.#books.length === 1 ? 0 : random.integer(0, this.#books.length - 1);
    const state = this.#books[market]!;
    if (random.chance(0.02)) state.middle += random.chance(0.5) ? -1 : 1;
    const side: Side = random.chance(0.5) ? 'buy' : 'sell';
    const isTrade = random.chance(0.08);
    const away = isTrade ? 1 : 1 + Math.floor(random.next() * random.next() * 60);
    const price = side === 'buy' ? state.middle - away : state.middle + away;
    if (isTrade) {
      const kind = side === 'buy' ? EVENT.sellTrade : EVENT.buyTrade;
      this.#write(kind, market, { price, size: random.integer(1, 500), isEnd: true });
      return;
    }
    const size = random.chance(0.35) ? 0 : random.integer(1, 50_000);
    if (size > 0) this.#uncross(market, side, price);
    this.#level(market, side, { price, size, isEnd: true });
  }

  /** What a level goes through is gone, and a feed says so before it. */
  #uncross(market: number, side: Side, price: number): void {
    const { book } = this.#books[market]!;
    for (;;) {
      const best = side === 'buy' ? book.askTicks : book.bidTicks;
      if (best === undefined || (side === 'buy' ? best > price : best < price)) return;
      this.#level(market, side === 'buy' ? 'sell' : 'buy', { price: best, size: 0, isEnd: false });
    }
  }

  #level(market: number, side: Side, level: { price: number; size: number; isEnd: boolean }): void {
    this.#books[market]!.book.set(side, level.price as Ticks, level.size as Lots);
    this.#write(side === 'buy' ? EVENT.bidLevel : EVENT.askLevel, market, level);
  }

  #write(kind: number, market: number, row: { price: number; size: number; isEnd: boolean }): void {
    const at = this.#row;
    if (at === this.#batch.rows) return;
    const batch = this.#batch;
    batch.kind[at] = kind;
    batch.flags[at] = row.isEnd || at === batch.rows - 1 ? FLAG_END : 0;
    batch.market[at] = market;
    batch.exchangeUs[at] = this.#atUs;
    batch.receivedUs[at] = this.#atUs + 1_000;
    batch.price[at] = row.price;
    batch.size[at] = row.size;
    batch.id[at] = kind === EVENT.buyTrade || kind === EVENT.sellTrade ? ++this.#tradeId : 0;
    this.#row = at + 1;
  }
}

/** Columns for so many rows. */
export function emptyBatch(rows: number): EventBatch {
  return {
    rows,
    kind: new Uint8Array(rows),
    flags: new Uint8Array(rows),
    market: new Uint16Array(rows),
    exchangeUs: new Float64Array(rows),
    receivedUs: new Float64Array(rows),
    price: new Uint32Array(rows),
    size: new Float64Array(rows),
    id: new Float64Array(rows),
  };
}

/** What the bare loop comes to: the same for every reader of one log. */
export interface BareResult {
  /** Sum of the spreads seen after each change, and of the sizes of trades. */
  spreads: number;
  traded: number;
}

/** The book of the yardstick: sizes by tick in a window, best prices moved by scanning. */
class WindowBook {
  readonly bids = new Int32Array(SPAN);
  readonly asks = new Int32Array(SPAN);
  bestBid = -1;
  bestAsk = SPAN;

  bid(price: number, size: number): void {
    const at = price - BASE;
    this.bids[at] = size;
    if (size !== 0) {
      if (at > this.bestBid) this.bestBid = at;
    } else if (at === this.bestBid) {
      let next = at;
      while (next >= 0 && this.bids[next] === 0) next--;
      this.bestBid = next;
    }
  }

  ask(price: number, size: number): void {
    const at = price - BASE;
    this.asks[at] = size;
    if (size !== 0) {
      if (at < this.bestAsk) this.bestAsk = at;
    } else if (at === this.bestAsk) {
      let next = at;
      while (next < SPAN && this.asks[next] === 0) next++;
      this.bestAsk = next;
    }
  }
}

/** The yardstick: one loop over the columns with a book and a callback. */
export function bareLoop(batches: Iterable<EventBatch>): BareResult {
  const books: WindowBook[] = [];
  const result: BareResult = { spreads: 0, traded: 0 };
  const callback = {
    onBook(book: WindowBook): void {
      if (book.bestBid >= 0 && book.bestAsk < SPAN) result.spreads += book.bestAsk - book.bestBid;
    },
    onTrade(size: number): void {
      result.traded += size;
    },
  };
  for (const { rows, kind, market, price, size } of batches) {
    for (let row = 0; row < rows; row++) {
      let book = books[market[row] as number];
      if (book === undefined) {
        book = new WindowBook();
        books[market[row] as number] = book;
      }
      switch (kind[row]) {
        case EVENT.bidLevel:
          book.bid(price[row] as number, size[row] as number);
          callback.onBook(book);
          break;
        case EVENT.askLevel:
          book.ask(price[row] as number, size[row] as number);
          callback.onBook(book);
          break;
        case EVENT.buyTrade:
        case EVENT.sellTrade:
          callback.onTrade(size[row] as number);
          break;
        default:
          break;
      }
    }
  }
  return result;
}
