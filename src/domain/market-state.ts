/**
 * @module
 * The newest that is known of each market, from facts: definition, book, best quotes, prices, last trade,
 * candles. What this does not do: no field is ever filled from another source than its own fact; an old value stays
 * beside the time it came, and the reader decides what is stale.
 */
import { deepFrozen, type UnixMs } from '../core/index.ts';
import { CandleSeries } from './candle-series.ts';
import type { MarketFact } from './fact.ts';
import type { MarketSymbol } from './ids.ts';
import type { Market } from './market.ts';
import type { Bbo, Book, Candle, CandleInterval, FundingRate, Prices, Trade } from './market-data.ts';
import type { Ticks } from './units.ts';

const NO_CANDLES: readonly Candle[] = [];

/** What is known of one market. */
export interface MarketRecord {
  readonly symbol: MarketSymbol;
  /** The definition; `undefined`: not known. */
  readonly market: Market | undefined;
  /** The newest order book; `undefined`: none has come. */
  readonly book: Book | undefined;
  /** The newest best quotes; `undefined`: none have come. */
  readonly bbo: Bbo | undefined;
  /** The newest mark, index and other prices; `undefined`: none have come. */
  readonly prices: Prices | undefined;
  /** The newest trade; `undefined`: none has come. */
  readonly lastTrade: Trade | undefined;
  /** The newest funding rate; `undefined`: none has come. */
  readonly funding: FundingRate | undefined;
  /** When the newest book or best quotes arrived. */
  readonly dataAtMs: UnixMs | undefined;
  /** Why the data cannot be trusted, until fresh data comes. */
  readonly staleReason: string | undefined;
}

class MutableRecord implements MarketRecord {
  readonly symbol: MarketSymbol;
  market: Market | undefined = undefined;
  book: Book | undefined = undefined;
  bbo: Bbo | undefined = undefined;
  prices: Prices | undefined = undefined;
  lastTrade: Trade | undefined = undefined;
  funding: FundingRate | undefined = undefined;
  staleReason: string | undefined = undefined;
  readonly candles = new CandleSeries();
  /** When the data before the newest book arrived, NaN: none has. A field that is always a number is written without an object for each. */
  arrivedAtMs = Number.NaN;
  /** The newest data is the book: it says itself when it arrived. */
  isBookNewest = false;

  constructor(symbol: MarketSymbol) {
    this.symbol = symbol;
  }

  get dataAtMs(): UnixMs | undefined {
    if (this.isBookNewest) return this.book?.receivedAtMs;
    return Number.isNaN(this.arrivedAtMs) ? undefined : (this.arrivedAtMs as UnixMs);
  }
}

/** All markets. Readers use {@link MarketRecord}; only the kernel applies facts. */
export class MarketState {
  readonly #records = new Map<MarketSymbol, MutableRecord>();
  /** That of the newest fact: the next one is mostly about the same market. */
  #last: MutableRecord | undefined;
  /** The newest book, and the record of its market: books are mostly one object for the whole run. */
  #book: Book | undefined;
  #bookRecord = new MutableRecord('' as MarketSymbol);

  /** The record of a market, `undefined` before any fact about it. It is the same object from then on. */
  get(symbol: MarketSymbol): MarketRecord | undefined {
    const last = this.#last;
    return last !== undefined && last.symbol === symbol ? last : this.#records.get(symbol);
  }

  /** The price at which positions of a market are valued; `undefined`: none is known. */
  valuationTicks(symbol: MarketSymbol): Ticks | undefined {
    const record = this.get(symbol);
    return record === undefined ? undefined : valuationTicksOf(record);
  }

  /** All markets that anything is known of. */
  symbols(): IterableIterator<MarketSymbol> {
    return this.#records.keys();
  }

  /** Candles of an interval, oldest first. */
  candles(symbol: MarketSymbol, interval: CandleInterval): readonly Candle[] {
    return this.#records.get(symbol)?.candles.of(interval) ?? NO_CANDLES;
  }

  /** Takes a fact in. */
  fold(fact: MarketFact): void {
    switch (fact.type) {
      case 'BookUpdated':
        this.foldBook(fact.book);
        return;
      case 'BboUpdated':
        this.#foldBbo(fact.bbo);
        return;
      case 'TradePrinted':
        this.foldTrade(fact.trade);
        return;
      case 'PricesUpdated':
        this.#of(fact.prices.symbol).prices = fact.prices;
        return;
      case 'CandleUpdated':
        this.#of(fact.candle.symbol).candles.add(fact.candle, fact.isHistory);
        return;
      case 'FundingSettled':
        this.#of(fact.funding.symbol).funding = fact.funding;
        return;
      case 'MarketChanged':
        this.#of(fact.market.symbol).market = deepFrozen(fact.market);
        return;
      case 'MarketStale':
        this.#of(fact.symbol).staleReason = fact.reason;
        return;
    }
  }

  /** Takes a book in, as {@link fold}. */
  foldBook(book: Book): void {
    if (book !== this.#book) this.#meet(book);
    if (!book.isFresh) return;
    const record = this.#bookRecord;
    record.isBookNewest = true;
    record.staleReason = undefined;
  }

  /** Takes a trade in, as {@link fold}. */
  foldTrade(trade: Trade): void {
    const record = this.#of(trade.symbol);
    record.lastTrade = trade;
    record.candles.addTrade(trade);
  }

  #meet(book: Book): void {
    const record = this.#of(book.symbol);
    if (record.book !== book) {
      record.arrivedAtMs = record.dataAtMs ?? Number.NaN;
      record.isBookNewest = false;
      record.book = book;
    }
    this.#book = book;
    this.#bookRecord = record;
  }

  #foldBbo(bbo: Bbo): void {
    const record = this.#of(bbo.symbol);
    record.bbo = bbo;
    record.arrivedAtMs = bbo.receivedAtMs;
    record.isBookNewest = false;
    if (record.book === undefined || record.book.isFresh) record.staleReason = undefined;
  }

  #of(symbol: MarketSymbol): MutableRecord {
    if (this.#last?.symbol === symbol) return this.#last;
    this.#last = this.#recordOf(symbol);
    return this.#last;
  }

  #recordOf(symbol: MarketSymbol): MutableRecord {
    let record = this.#records.get(symbol);
    if (record === undefined) {
      record = new MutableRecord(symbol);
      this.#records.set(symbol, record);
    }
    return record;
  }
}

/** The best bid, from the newer of book and best quotes; `undefined` when that side is empty or nothing is known. */
export function bestBidOf(record: MarketRecord): Ticks | undefined {
  const top = knownTopOf(record)?.topBidTicks;
  return top === undefined || top === 0 ? bidOf(record) : (top as Ticks);
}

/** The best ask, as {@link bestBidOf}. */
export function bestAskOf(record: MarketRecord): Ticks | undefined {
  const top = knownTopOf(record)?.topAskTicks;
  return top === undefined || top === 0 ? askOf(record) : (top as Ticks);
}

/** The book, where no quotes can be newer. Strategies ask with every row: what is less simple is in separate functions. */
function knownTopOf({ book, bbo }: MarketRecord): Book | undefined {
  return bbo === undefined ? book : undefined;
}

/** The book, unless best quotes are newer. */
function newerBookOf({ book, bbo }: MarketRecord): Book | undefined {
  return bbo === undefined || book === undefined || bbo.receivedAtMs <= book.receivedAtMs ? book : undefined;
}

function bidOf(record: MarketRecord): Ticks | undefined {
  const book = newerBookOf(record);
  if (book === undefined) return record.bbo?.bidTicks;
  const top = book.topBidTicks;
  if (top !== undefined) return top === 0 ? undefined : (top as Ticks);
  return book.bidCount > 0 ? (book.bidTicks[0] as Ticks) : undefined;
}

function askOf(record: MarketRecord): Ticks | undefined {
  const book = newerBookOf(record);
  if (book === undefined) return record.bbo?.askTicks;
  const top = book.topAskTicks;
  if (top !== undefined) return top === 0 ? undefined : (top as Ticks);
  return book.askCount > 0 ? (book.askTicks[0] as Ticks) : undefined;
}

/** The mid of best bid and ask in ticks, with a half; `undefined` when a side is empty. */
export function midOf(record: MarketRecord): number | undefined {
  const bid = bestBidOf(record);
  const ask = bestAskOf(record);
  return bid === undefined || ask === undefined ? undefined : (bid + ask) / 2;
}

/**
 * A price to value a position at: mark, else the mid rounded down, else the last trade; `undefined` when the market
 * has none of them. `knownMid`: the mid, where the caller has it.
 */
export function valuationTicksOf(record: MarketRecord, knownMid?: number): Ticks | undefined {
  const mark = record.prices?.markTicks;
  if (mark !== undefined) return mark;
  const mid = knownMid ?? midOf(record);
  if (mid !== undefined) return Math.floor(mid) as Ticks;
  return record.prices?.lastTicks ?? record.lastTrade?.priceTicks;
}
