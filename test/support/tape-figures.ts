/**
 * @module
 * What a tape says of the market it was imported from, told from its rows alone: held against figures that others
 * computed from the recorded files.
 */
import { LevelBook, lots, type Side, ticks } from '../../src/domain/index.ts';
import { EVENT, type EventRow, FLAG_END, type Tape } from '../../src/tape/format/index.ts';
import { rowsOf } from '../../src/tape/tools/index.ts';

/** Figures of one market over a span of a tape. */
export class MarketFigures {
  readonly book: LevelBook;
  trades = 0;
  buys = 0;
  volume = 0n;
  notional = 0n;
  /** Frames that changed or repeated the book, and the different times they had. */
  bookFrames = 0;
  bookTimes = 0;
  locked = 0;
  crossed = 0;
  maxGapMs = 0;
  firstBookMs = 0;
  lastBookMs = 0;
  firstBest: readonly [number, number] | undefined;
  quotes = 0;
  marks = 0;
  holes = 0;
  settlements: EventRow[] = [];
  #isBookFrame = false;

  /** `book` is the one that stands when the span begins. */
  constructor(book = new LevelBook()) {
    this.book = book;
  }

  add(row: EventRow): void {
    const { kind, price, size } = row;
    if (kind === EVENT.buyTrade || kind === EVENT.sellTrade) this.#trade(row);
    if (kind === EVENT.bestBid) this.quotes++;
    if (kind === EVENT.mark) this.marks++;
    if (kind === EVENT.hole) this.holes++;
    if (kind === EVENT.fundingSettled) this.settlements.push(row);
    if (kind === EVENT.bookReset) this.book.clear();
    if (kind === EVENT.bidLevel) this.#set('buy', price, size);
    if (kind === EVENT.askLevel) this.#set('sell', price, size);
    if (row.flags === FLAG_END && this.#isBookFrame) this.#frame(row.exchangeUs / 1_000);
  }

  #trade({ kind, price, size }: EventRow): void {
    this.trades++;
    if (kind === EVENT.buyTrade) this.buys++;
    this.volume += BigInt(size);
    this.notional += BigInt(price) * BigInt(size);
  }

  #set(side: Side, price: number, size: number): void {
    this.book.set(side, ticks(price), lots(size));
    this.#isBookFrame = true;
  }

  #frame(atMs: number): void {
    this.#isBookFrame = false;
    const { bidTicks = 0, askTicks = Number.POSITIVE_INFINITY } = this.book;
    this.firstBest ??= [bidTicks, askTicks];
    if (bidTicks === askTicks) this.locked++;
    if (bidTicks > askTicks) this.crossed++;
    if (this.bookFrames++ === 0) this.firstBookMs = atMs;
    else this.maxGapMs = Math.max(this.maxGapMs, atMs - this.lastBookMs);
    if (this.bookFrames === 1 || atMs !== this.lastBookMs) this.bookTimes++;
    this.lastBookMs = atMs;
  }
}

/** Figures of each market over all of `tape`. */
export function marketFigures(tape: Tape): readonly MarketFigures[] {
  const figures = tape.markets.map(() => new MarketFigures());
  for (const row of rowsOf(tape.batches())) figures[row.market]?.add(row);
  return figures;
}

/** The best level of a side. */
export function bestOf({ book }: MarketFigures, side: Side): readonly [price: number, size: number] {
  const price = (side === 'buy' ? book.bidTicks : book.askTicks) ?? ticks(0);
  return [price, book.sizeAt(side, price)];
}
