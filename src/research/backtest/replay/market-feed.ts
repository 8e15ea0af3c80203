/**
 * @module Rows of one market to facts, as a live stream would have given them: levels and best quotes are applied and
 * emitted when their frame ends, trades as they come. The book and its fact are one object for the whole run, as in a
 * live stream.
 *
 * It keeps no time: its caller says when.
 */
import { NumberText, type UnixMs, type VirtualClock } from '../../../core/index.ts';
import {
  type Bbo,
  CANDLE_INTERVALS,
  type CandleInterval,
  type Cursor,
  type FactSink,
  type Lots,
  MARKET_STATUSES,
  type Market,
  type MarketSink,
  marketSinkOf,
  type Ppm,
  type Prices,
  type Ticks,
} from '../../../domain/index.ts';
import { EVENT } from '../../../tape/format/index.ts';
import type { EmittedLevels } from '../../venue/index.ts';
import { OrderLevels } from './order-levels.ts';
import { ReplayBook } from './replay-book.ts';

// By name, so that a row's kind is known without an object lookup.
const BID_LEVEL = EVENT.bidLevel;
const ASK_LEVEL = EVENT.askLevel;
const BUY_TRADE = EVENT.buyTrade;
const SELL_TRADE = EVENT.sellTrade;
const BOOK_RESET = EVENT.bookReset;
const BEST_BID = EVENT.bestBid;
const BEST_ASK = EVENT.bestAsk;

/** What a frame can touch, by a bit each. */
const BOOK = 1;
const BBO = 2;
const PRICES = 4;

/** There is no book: none was shown since the beginning or a gap. */
const NO_BOOK = 1;
/** It is being rebuilt until the end of the frame. */
const WHOLE = 2;
/** Its best prices have crossed. */
const SPOILED = 4;

const US_PER_MS = 1_000;
/** Rates are stored in parts per billion. */
const PPB_PER_PPM = 1_000;
const MINUTE_MS = 60_000;
const INTERVAL_OF_MS: ReadonlyMap<number, CandleInterval> = new Map(
  CANDLE_INTERVALS.map((interval) => [lengthOf(interval), interval] as const),
);

/** A bar that is coming together. */
interface OpenCandle {
  lengthMs: number;
  startAtMs: number;
  open: number;
  high: number;
  low: number;
}

/** The clock of the receiver: a `VirtualClock`, or what says the same. */
export type FeedClock = Pick<VirtualClock, 'nowMs' | 'mark' | 'timeOf'>;

/** One market. See the module. */
export class MarketFeed {
  /** Before the beginning rows are applied and nothing is emitted. */
  #sink: FactSink = () => undefined;
  #marketSink: MarketSink = marketSinkOf(this.#sink);
  readonly #book: ReplayBook;
  readonly #candle: OpenCandle = { lengthMs: 0, startAtMs: 0, open: 0, high: 0, low: 0 };
  readonly #clock: FeedClock;
  readonly #tradeIds = new NumberText();
  #market: Market;
  #orders: OrderLevels | undefined;
  /** Best quotes, 0 lots: none. One object is made of them a frame, not one a row. */
  #bestBidTicks = 0;
  #bestBidLots = 0;
  #bestAskTicks = 0;
  #bestAskLots = 0;
  #prices: Prices;
  /** What the running frame has touched. */
  #touched = 0;
  /** What keeps the book from being emitted as it is, by a bit each. One number: it is asked with every row. */
  #odd = NO_BOOK;

  constructor(market: Market, clock: FeedClock) {
    const { symbol } = market;
    this.#clock = clock;
    this.#market = market;
    this.#book = new ReplayBook(symbol, clock);
    this.#prices = {
      ...{ symbol, markTicks: undefined, indexTicks: undefined, lastTicks: undefined },
      ...{ fundingRatePpm: undefined, nextFundingAtMs: undefined, openInterestLots: undefined },
    };
  }

  /** The levels of the rows so far. */
  get levels(): EmittedLevels {
    return this.#book;
  }

  /** Takes a row of a level in: as {@link row}, of the most frequent kinds. */
  setLevel(kind: number, priceTicks: number, sizeLots: number): void {
    this.#touched |= BOOK;
    this.#book.set(kind, priceTicks, sizeLots);
  }

  /** Takes one row in. */
  // biome-ignore lint/complexity/useMaxParams: the columns of a row, so that no object is made
  row(kind: number, us: number, price: number, size: number, id: number): void {
    switch (kind) {
      case BID_LEVEL:
      case ASK_LEVEL:
        this.setLevel(kind, price, size);
        return;
      case BEST_BID:
        this.#bestBidTicks = price;
        this.#bestBidLots = size;
        this.#touched |= BBO;
        return;
      case BEST_ASK:
        this.#bestAskTicks = price;
        this.#bestAskLots = size;
        this.#touched |= BBO;
        return;
      case BUY_TRADE:
      case SELL_TRADE:
        this.#marketSink.takeTrade({
          id: this.#tradeIds.of(id) as Cursor,
          symbol: this.#market.symbol,
          aggressor: kind === BUY_TRADE ? 'buy' : 'sell',
          priceTicks: price as Ticks,
          sizeLots: size as Lots,
          atMs: msOf(us),
        });
        return;
      case BOOK_RESET:
        this.#book.clear();
        this.#orders?.clear();
        this.#touched |= BOOK;
        this.#odd |= WHOLE;
        return;
      default:
        this.#rareRow(kind, us, price as Ticks, size, id);
    }
  }

  /** The frame is complete: emits what it has touched. */
  end(): void {
    if (this.#touched === BOOK) this.#tellBook();
    else if (this.#touched !== 0) this.#tellAll();
  }

  /** Emits the current state to `sink`, then each change. */
  begin(sink: FactSink, marketSink: MarketSink): void {
    this.#sink = sink;
    this.#marketSink = marketSink;
    const hasPrices = this.#prices.markTicks !== undefined || this.#prices.indexTicks !== undefined;
    this.#touched =
      (this.#book.isFresh ? BOOK : 0) |
      (this.#bestBidLots > 0 || this.#bestAskLots > 0 ? BBO : 0) |
      (hasPrices ? PRICES : 0);
    this.end();
  }

  #tellAll(): void {
    const touched = this.#touched;
    if ((touched & BOOK) !== 0) this.#tellBook();
    this.#touched = 0;
    if ((touched & BBO) !== 0) this.#sink({ type: 'BboUpdated', bbo: this.#bbo(this.#clock.nowMs()) });
    if ((touched & PRICES) !== 0) this.#sink({ type: 'PricesUpdated', prices: this.#prices });
  }

  /** The best quotes as they are: a separate object, for callers that keep it. */
  #bbo(receivedAtMs: UnixMs): Bbo {
    const hasBid = this.#bestBidLots > 0;
    const hasAsk = this.#bestAskLots > 0;
    return {
      symbol: this.#market.symbol,
      bidTicks: hasBid ? (this.#bestBidTicks as Ticks) : undefined,
      bidLots: hasBid ? (this.#bestBidLots as Lots) : undefined,
      askTicks: hasAsk ? (this.#bestAskTicks as Ticks) : undefined,
      askLots: hasAsk ? (this.#bestAskLots as Lots) : undefined,
      receivedAtMs,
    };
  }

  /** As live: nothing before a whole book, and a crossed one is stale until one that is not. */
  #tellBook(): void {
    const book = this.#book;
    this.#touched &= ~BOOK;
    if (book.isCrossed()) {
      this.#spoil();
      return;
    }
    if (this.#odd !== 0 && !this.#repair()) return;
    book.receivedMark = this.#clock.mark();
    this.#marketSink.takeBook(book);
  }

  #spoil(): void {
    if ((this.#odd & WHOLE) === 0 && this.#odd !== 0) return;
    this.#odd = SPOILED;
    this.#book.isFresh = false;
    this.#stale('the book cannot be used: its best prices cross');
  }

  /** A book that does not cross is whole or whole again; false: there is none. */
  #repair(): boolean {
    if (this.#odd === NO_BOOK) return false;
    this.#odd = 0;
    this.#book.isFresh = true;
    return true;
  }

  // biome-ignore lint/complexity/useMaxParams: as row
  #rareRow(kind: number, us: number, priceTicks: Ticks, size: number, id: number): void {
    switch (kind) {
      case EVENT.mark:
        this.#price({ markTicks: priceTicks });
        return;
      case EVENT.index:
        this.#price({ indexTicks: priceTicks });
        return;
      case EVENT.fundingRate:
        this.#price({ fundingRatePpm: ppmOf(size), nextFundingAtMs: id === 0 ? undefined : (id as UnixMs) });
        return;
      case EVENT.fundingSettled: {
        const atMs = msOf(us);
        const indexTicks = priceTicks > 0 ? priceTicks : undefined;
        const funding = { symbol: this.#market.symbol, ratePpm: ppmOf(size), indexTicks, atMs };
        this.#sink({ type: 'FundingSettled', funding });
        return;
      }
      case EVENT.hole:
        this.#hole(us, id);
        return;
      case EVENT.marketStatus:
        this.#market = { ...this.#market, status: MARKET_STATUSES[size] ?? `unknown ${size}` };
        this.#sink({ type: 'MarketChanged', market: this.#market });
        return;
      case EVENT.candleOpen:
      case EVENT.candleHigh:
      case EVENT.candleLow:
      case EVENT.candleClose:
        this.#candleRow(kind, priceTicks, size, id);
        return;
      default:
        this.#orders ??= new OrderLevels(this.#book);
        if (this.#orders.row(kind, priceTicks, size, id)) this.#touched |= BOOK;
    }
  }

  #price(change: Partial<Prices>): void {
    this.#prices = { ...this.#prices, ...change };
    this.#touched |= PRICES;
  }

  #hole(fromUs: number, toUs: number): void {
    const seconds = Math.round((toUs - fromUs) / (US_PER_MS * 1_000));
    this.#book.isFresh = false;
    this.#odd = (this.#odd & WHOLE) | NO_BOOK;
    this.#stale(`nothing was recorded for ${seconds} s`);
  }

  #stale(reason: string): void {
    this.#sink({ type: 'MarketStale', symbol: this.#market.symbol, reason });
  }

  #candleRow(kind: number, priceTicks: number, size: number, id: number): void {
    const candle = this.#candle;
    switch (kind) {
      case EVENT.candleOpen:
        candle.open = priceTicks;
        candle.lengthMs = id;
        return;
      case EVENT.candleHigh:
        candle.high = priceTicks;
        candle.startAtMs = id;
        return;
      case EVENT.candleLow:
        candle.low = priceTicks;
        return;
      default:
        this.#tellCandle(priceTicks, size, id);
    }
  }

  /** Bars of a length that the gateway does not have reach no strategy. */
  #tellCandle(closeTicks: number, volumeLots: number, tradeCount: number): void {
    const { lengthMs, startAtMs, open, high, low } = this.#candle;
    const interval = INTERVAL_OF_MS.get(lengthMs);
    if (interval === undefined) return;
    const candle = {
      symbol: this.#market.symbol,
      interval,
      startAtMs: startAtMs as UnixMs,
      openTicks: open as Ticks,
      highTicks: high as Ticks,
      lowTicks: low as Ticks,
      closeTicks: closeTicks as Ticks,
      volumeLots: volumeLots as Lots,
      tradeCount,
    };
    this.#sink({ type: 'CandleUpdated', candle, isHistory: false });
  }
}

function msOf(us: number): UnixMs {
  return Math.floor(us / US_PER_MS) as UnixMs;
}

function ppmOf(ppb: number): Ppm {
  return Math.round(ppb / PPB_PER_PPM) as Ppm;
}

/** The length of an interval such as `15m` in ms. */
function lengthOf(interval: CandleInterval): number {
  const unit = { m: MINUTE_MS, h: 60 * MINUTE_MS, d: 1_440 * MINUTE_MS }[interval.at(-1) as 'm' | 'h' | 'd'];
  return Number(interval.slice(0, -1)) * unit;
}
