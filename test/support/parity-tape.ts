/**
 * @module
 * The recorded hour as two markets with everything that a gateway publishes. The recording has books and trades of one
 * market: it is BTC-USD as it is. The hour behind it, moved onto the first and read with other decimals, is ETH-USD, so
 * that strategies of two markets have two that move on their own. Best quotes are those of the book; mark and index are
 * its middle, each second; the funding rate is how far the middle lies from its mean, each minute; bars of a minute
 * are those of the trades. A book that stays the same is published again, as an exchange in use would.
 *
 *   recorded rows ─► book frame ─► best quotes ─► (each second) prices, rate ─► (each minute) bar
 */
import { join } from 'node:path';
import { LevelBook, type Lots, type Ticks } from '../../src/domain/index.ts';
import {
  createTapeWriter,
  EVENT,
  type EventRow,
  FLAG_END,
  openTape,
  type TapeMarket,
} from '../../src/tape/format/index.ts';
import { importTape } from '../../src/tape/importers/index.ts';
import { rowsOf } from '../../src/tape/tools/index.ts';
import { sharedPath } from './shared.ts';

/** The recording. */
export const PARITY_RECORDING = ['data', 'standx-btcusd-20260106'] as const;
const HOURS = ['2026-01-06_08', '2026-01-06_09'] as const;
const HOUR_US = 3_600_000_000;
const MARKETS: readonly TapeMarket[] = [
  { symbol: 'BTC-USD', priceDecimals: 2, sizeDecimals: 4, tickStep: 1, lotStep: 1, depth: 'levels' },
  // A tenth of the price and ten times the size: what is configured for ether is worth about as much.
  { symbol: 'ETH-USD', priceDecimals: 3, sizeDecimals: 3, tickStep: 1, lotStep: 1, depth: 'levels' },
];

/** Below the second after which a market that was heard of shows an unchanged book again. */
const REPEAT_US = 700_000;
const SECOND_US = 1_000_000;
const MINUTE_US = 60 * SECOND_US;
const BILLION = 1e9;
/** The mean that the middle is held against follows it by this part a second. */
const MEAN_SHARE = 0.01;

type Row = Omit<EventRow, 'market' | 'receivedUs'>;

/** Writes the tape of two markets below `folder` and gives its place. */
export async function writeParityTape(folder: string): Promise<string> {
  const sides = await Promise.all(
    HOURS.map(async (hour, place) => {
      const out = join(folder, hour);
      const paths = [`book_${hour}.csv.gz`, `trades_${hour}.csv.gz`].map((file) =>
        sharedPath(...PARITY_RECORDING, file),
      );
      await importTape({ format: 'standx', paths, out, locked: 'separate' });
      return new PublishedMarket(rowsOf(openTape(out).batches()), place * HOUR_US).frames();
    }),
  );
  const out = join(folder, 'two-markets');
  const source = { kind: 'made', description: 'two hours of one recording beside each other' };
  const writer = createTapeWriter({ folder: out, markets: MARKETS, source });
  const heads = sides.map((frames) => ({ frames, next: frames.next() }));
  for (;;) {
    const open = heads.filter(({ next }) => next.done !== true);
    const market = heads.indexOf(
      open.reduce((a, b) => (atOf(b.next.value) < atOf(a.next.value) ? b : a), open[0] as (typeof heads)[0]),
    );
    const head = heads[market];
    if (head === undefined || head.next.done === true) break;
    for (const row of head.next.value) writer.write({ ...row, market, receivedUs: row.exchangeUs });
    head.next = head.frames.next();
  }
  writer.close();
  return out;
}

function atOf(frame: readonly Row[] | undefined): number {
  return frame?.[0]?.exchangeUs ?? Number.POSITIVE_INFINITY;
}

/** One market while it is read: its frames, with what else is published. */
class PublishedMarket {
  readonly #rows: Iterable<EventRow>;
  readonly #shiftUs: number;
  readonly #book = new LevelBook();
  /** Is nothing known until the next whole book? */
  #isBlind = true;
  #bookAtUs = 0;
  #pricesAtUs = 0;
  #rateAtUs = 0;
  #meanTicks = 0;
  #hasSettled = false;
  #bar = { startUs: 0, open: 0, high: 0, low: 0, close: 0, lots: 0, trades: 0 };

  constructor(rows: Iterable<EventRow>, shiftUs: number) {
    this.#rows = rows;
    this.#shiftUs = shiftUs;
  }

  *frames(): Generator<readonly Row[]> {
    let frame: Row[] = [];
    for (const { kind, flags, exchangeUs, price, size, id } of this.#rows) {
      const us = exchangeUs - this.#shiftUs;
      if (frame.length === 0) yield* this.#until(us);
      frame.push({
        kind,
        flags,
        exchangeUs: us,
        price,
        size,
        id: kind === EVENT.hole ? id - this.#shiftUs : id,
      });
      if ((flags & FLAG_END) === 0) continue;
      yield frame;
      const isBook = this.#fold(frame);
      frame = [];
      if (isBook && !this.#isBlind) yield* this.#publish(us);
    }
  }

  /** What is published before the next recorded frame. */
  *#until(us: number): Generator<readonly Row[]> {
    while (!this.#isBlind && us - this.#bookAtUs > REPEAT_US) {
      const atUs = this.#bookAtUs + REPEAT_US;
      const bid = this.#book.topBidTicks;
      yield [
        { ...rowAt(atUs), kind: EVENT.bidLevel, price: bid, size: this.#book.sizeAt('buy', bid as Ticks) },
      ];
      yield* this.#publish(atUs);
    }
    const { startUs, open, high, low, close, lots, trades } = this.#bar;
    if (trades === 0 || us < startUs + MINUTE_US) return;
    this.#bar = { ...this.#bar, trades: 0 };
    const atUs = Math.max(startUs + MINUTE_US, this.#bookAtUs);
    const row = { ...rowAt(atUs), flags: 0 };
    yield [
      { ...row, kind: EVENT.candleOpen, price: open, id: MINUTE_US / 1_000 },
      { ...row, kind: EVENT.candleHigh, price: high, id: startUs / 1_000 },
      { ...row, kind: EVENT.candleLow, price: low },
      { ...row, kind: EVENT.candleClose, price: close, size: lots, id: trades, flags: FLAG_END },
    ];
  }

  /** Best quotes with each book, prices each second, the rate each minute. */
  *#publish(us: number): Generator<readonly Row[]> {
    this.#bookAtUs = us;
    const [bid, ask] = [this.#book.topBidTicks, this.#book.topAskTicks];
    if (bid === 0 || ask === 0 || bid >= ask) return;
    const row = rowAt(us);
    yield [
      { ...row, kind: EVENT.bestBid, price: bid, size: this.#book.sizeAt('buy', bid as Ticks), flags: 0 },
      { ...row, kind: EVENT.bestAsk, price: ask, size: this.#book.sizeAt('sell', ask as Ticks) },
    ];
    if (us < this.#pricesAtUs + SECOND_US) return;
    this.#pricesAtUs = us;
    const middle = Math.floor((bid + ask) / 2);
    this.#meanTicks += (this.#meanTicks === 0 ? 1 : MEAN_SHARE) * (middle - this.#meanTicks);
    const prices: Row[] = [
      { ...row, kind: EVENT.index, price: middle, flags: 0 },
      { ...row, kind: EVENT.mark, price: middle },
    ];
    if (us >= this.#rateAtUs + MINUTE_US) {
      this.#rateAtUs = us;
      const rate = Math.round((middle / this.#meanTicks - 1) * BILLION);
      const nextMs = (Math.floor(us / HOUR_US) + 1) * (HOUR_US / 1_000);
      prices.unshift({ ...row, kind: EVENT.fundingRate, size: rate, id: nextMs, flags: 0 });
    }
    yield prices;
    // In the first minute, whose rate is 0: who joins at the beginning hears of it, and no cash moves.
    if (this.#hasSettled || us < this.#rateAtUs + SECOND_US) return;
    this.#hasSettled = true;
    yield [{ ...row, kind: EVENT.fundingSettled, price: middle }];
  }

  /** Does the frame show a book? */
  #fold(frame: readonly Row[]): boolean {
    let isBook = false;
    for (const { kind, exchangeUs, price, size } of frame) {
      if (kind === EVENT.bookReset) this.#book.clear();
      if (kind === EVENT.hole) this.#isBlind = true;
      else if (kind === EVENT.bidLevel) this.#book.set('buy', price as Ticks, size as Lots);
      else if (kind === EVENT.askLevel) this.#book.set('sell', price as Ticks, size as Lots);
      if (kind === EVENT.bookReset) this.#isBlind = false;
      if (kind === EVENT.buyTrade || kind === EVENT.sellTrade) this.#trade(exchangeUs, price, size);
      isBook ||= kind === EVENT.bookReset || kind === EVENT.bidLevel || kind === EVENT.askLevel;
    }
    return isBook;
  }

  #trade(us: number, price: number, size: number): void {
    const bar = this.#bar;
    if (bar.trades === 0)
      this.#bar = {
        ...{ startUs: us - (us % MINUTE_US), open: price, high: price, low: price, close: price },
        ...{ lots: size, trades: 1 },
      };
    else
      this.#bar = {
        ...{ startUs: bar.startUs, open: bar.open, close: price, lots: bar.lots + size },
        ...{ high: Math.max(bar.high, price), low: Math.min(bar.low, price), trades: bar.trades + 1 },
      };
  }
}

function rowAt(us: number): Row {
  return { kind: EVENT.index, flags: FLAG_END, exchangeUs: us, price: 0, size: 0, id: 0 };
}
