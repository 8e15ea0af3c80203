/**
 * @module
 * From the market facts that a live kernel sees to the rows of a tape, while they happen. A book becomes the levels
 * that differ from the book before; after a doubt it is written whole. Frames of the gateway carry no time of the
 * exchange, so both times of a row are those of receipt: a tape made here replays in the order that the bot saw.
 */
import type { UnixMs } from '../../core/index.ts';
import {
  type Bbo,
  type Book,
  CANDLE_INTERVALS,
  type Candle,
  type CandleInterval,
  type FundingRate,
  MARKET_STATUSES,
  type Market,
  type MarketFact,
  type Prices,
  type Trade,
} from '../../domain/index.ts';
import { EVENT, type EventKind, type EventWriter, FLAG_END, type TapeMarket } from '../format/index.ts';

/** Turns facts into rows. */
export interface FactColumns {
  /** Takes a fact at the time it was seen; those of markets that the tape does not hold are left out. */
  take(fact: MarketFact, atMs: UnixMs): void;
  /** Takes a value of the feed at index `place` of the manifest, in `line` of its feeds. */
  takeFeed(place: number, line: number, atMs: UnixMs): void;
}

/** How a manifest describes the gateway's `market`. */
export function tapeMarketOf(market: Market): TapeMarket {
  const { symbol, priceDecimals, sizeDecimals, tickStep, lotStep } = market;
  return { symbol, priceDecimals, sizeDecimals, tickStep, lotStep, depth: 'levels', hasOneTime: true };
}

/** Writes the facts of `markets` (by their index in the manifest) to `writer`. */
export function createFactColumns(writer: EventWriter, markets: readonly TapeMarket[]): FactColumns {
  const frame = new Frame(writer);
  const rows = new Map(markets.map(({ symbol }, place) => [symbol, new MarketRows(frame, place)] as const));
  return {
    take(fact, atMs) {
      frame.begin(atMs);
      rows.get(symbolOf(fact))?.take(fact, atMs);
      frame.end();
    },
    takeFeed(place, line, atMs) {
      frame.begin(atMs);
      frame.say({ kind: EVENT.feed, market: place, price: 0, size: 0, id: line });
      frame.end();
    },
  };
}

/** The symbol a market fact is about. */
function symbolOf(fact: MarketFact): string {
  switch (fact.type) {
    case 'MarketChanged':
      return fact.market.symbol;
    case 'BookUpdated':
      return fact.book.symbol;
    case 'BboUpdated':
      return fact.bbo.symbol;
    case 'TradePrinted':
      return fact.trade.symbol;
    case 'PricesUpdated':
      return fact.prices.symbol;
    case 'CandleUpdated':
      return fact.candle.symbol;
    case 'FundingSettled':
      return fact.funding.symbol;
    case 'MarketStale':
      return fact.symbol;
  }
}

interface Said {
  readonly kind: EventKind;
  readonly market: number;
  readonly price: number;
  readonly size: number;
  readonly id: number;
}

/** The rows of one fact; only when all are known can the last one be marked. */
class Frame {
  readonly #writer: EventWriter;
  readonly #said: Said[] = [];
  #receivedUs = 0;
  /** Rows never fall in time, whatever the clock of the machine does. */
  #us = 0;

  constructor(writer: EventWriter) {
    this.#writer = writer;
  }

  /** Time of the running frame, Unix us. */
  get us(): number {
    return this.#us;
  }

  begin(atMs: UnixMs): void {
    this.#receivedUs = Math.floor(atMs * 1_000);
    this.#us = Math.max(this.#us, this.#receivedUs);
  }

  say(said: Said): void {
    this.#said.push(said);
  }

  end(): void {
    const last = this.#said.length - 1;
    for (const [index, said] of this.#said.entries()) {
      const flags = index === last ? FLAG_END : 0;
      this.#writer.write({ ...said, flags, exchangeUs: this.#us, receivedUs: this.#receivedUs });
    }
    this.#said.length = 0;
  }
}

const PPB_PER_PPM = 1_000;

/** What was last written of one market, and the rows that bring it up to date. */
class MarketRows {
  readonly #frame: Frame;
  readonly #market: number;
  readonly #bids: SideRows;
  readonly #asks: SideRows;
  #isBookKnown = false;
  #status: string | undefined;
  #prices: Partial<Prices> = {};
  #trades = 0;
  #beganMs: UnixMs | undefined;
  #settledMs = 0;

  constructor(frame: Frame, market: number) {
    this.#frame = frame;
    this.#market = market;
    const say = (kind: EventKind, price: number, size: number): void => this.#say(kind, price, size);
    this.#bids = new SideRows(EVENT.bidLevel, -1, say);
    this.#asks = new SideRows(EVENT.askLevel, 1, say);
  }

  take(fact: MarketFact, atMs: UnixMs): void {
    this.#beganMs ??= atMs;
    switch (fact.type) {
      case 'BookUpdated':
        this.#book(fact.book);
        break;
      case 'BboUpdated':
        this.#bbo(fact.bbo);
        break;
      case 'TradePrinted':
        this.#trade(fact.trade);
        break;
      case 'PricesUpdated':
        this.#published(fact.prices);
        break;
      case 'CandleUpdated':
        if (!fact.isHistory) this.#candle(fact.candle);
        break;
      case 'FundingSettled':
        this.#settled(fact.funding);
        break;
      case 'MarketChanged':
        this.#changed(fact.market);
        break;
      case 'MarketStale':
        this.#stale();
        break;
    }
  }

  #book(book: Book): void {
    if (!this.#isBookKnown) {
      this.#say(EVENT.bookReset);
      this.#bids.forget();
      this.#asks.forget();
    }
    const wasKnown = this.#isBookKnown;
    this.#isBookKnown = true;
    const changes =
      this.#bids.update(book.bidTicks, book.bidLots, book.bidCount) +
      this.#asks.update(book.askTicks, book.askLots, book.askCount);
    // The same book again still says that it is fresh.
    if (changes === 0 && wasKnown && !this.#bids.repeat()) this.#asks.repeat();
  }

  #bbo({ bidTicks, bidLots, askTicks, askLots }: Bbo): void {
    this.#say(EVENT.bestBid, bidTicks ?? 0, bidLots ?? 0);
    this.#say(EVENT.bestAsk, askTicks ?? 0, askLots ?? 0);
  }

  #trade({ id, aggressor, priceTicks, sizeLots }: Trade): void {
    this.#trades += 1;
    const number = /^[0-9]{1,16}$/.test(id) ? Number(id) : this.#trades;
    const kind = aggressor === 'buy' ? EVENT.buyTrade : EVENT.sellTrade;
    this.#say(kind, priceTicks, sizeLots, Number.isSafeInteger(number) ? number : this.#trades);
  }

  #published(prices: Prices): void {
    const { markTicks, indexTicks, fundingRatePpm, nextFundingAtMs } = prices;
    const before = this.#prices;
    this.#prices = prices;
    if (indexTicks !== undefined && indexTicks !== before.indexTicks) this.#say(EVENT.index, indexTicks);
    const isRateNew = fundingRatePpm !== before.fundingRatePpm || nextFundingAtMs !== before.nextFundingAtMs;
    if (fundingRatePpm !== undefined && isRateNew)
      this.#say(EVENT.fundingRate, 0, fundingRatePpm * PPB_PER_PPM, nextFundingAtMs ?? 0);
    // Also when it is the same: that it is still published is news.
    if (markTicks !== undefined) this.#say(EVENT.mark, markTicks);
  }

  #candle(candle: Candle): void {
    const lengthMs = LENGTHS_MS.get(candle.interval) ?? 0;
    this.#say(EVENT.candleOpen, candle.openTicks, 0, lengthMs);
    this.#say(EVENT.candleHigh, candle.highTicks, 0, candle.startAtMs);
    this.#say(EVENT.candleLow, candle.lowTicks);
    this.#say(EVENT.candleClose, candle.closeTicks, candle.volumeLots, candle.tradeCount);
  }

  /** Each settlement once; those of before the recording are history that the gateway sends at the start. */
  #settled({ ratePpm, indexTicks, atMs }: FundingRate): void {
    if (atMs < (this.#beganMs ?? 0) || atMs <= this.#settledMs) return;
    this.#settledMs = atMs;
    this.#say(EVENT.fundingSettled, indexTicks ?? 0, ratePpm * PPB_PER_PPM);
  }

  #changed({ status }: Market): void {
    if (status === this.#status) return;
    this.#status = status;
    this.#say(EVENT.marketStatus, 0, (MARKET_STATUSES as readonly string[]).indexOf(status));
  }

  /** How long it lasts is not known yet: until the book is written whole again. */
  #stale(): void {
    this.#isBookKnown = false;
    this.#say(EVENT.hole, 0, 0, this.#frame.us);
  }

  #say(kind: EventKind, price = 0, size = 0, id = 0): void {
    this.#frame.say({ kind, market: this.#market, price, size, id });
  }
}

type SayLevel = (kind: EventKind, price: number, size: number) => void;

/** One side of a book as it was last written: best first, like the books that come, so that one walk finds what differs. */
class SideRows {
  readonly #kind: EventKind;
  /** 1: prices rise from the best on; -1: they fall. */
  readonly #direction: 1 | -1;
  readonly #say: SayLevel;
  #ticks = new Float64Array(0);
  #lots = new Float64Array(0);
  #count = 0;

  constructor(kind: EventKind, direction: 1 | -1, say: SayLevel) {
    this.#kind = kind;
    this.#direction = direction;
    this.#say = say;
  }

  forget(): void {
    this.#count = 0;
  }

  /** Writes what differs, gone levels first. @returns how many rows that took. */
  update(ticks: Float64Array, lots: Float64Array, count: number): number {
    const rows = this.#sayGone(ticks, count) + this.#sayChanged(ticks, lots, count);
    if (this.#ticks.length < count) {
      this.#ticks = new Float64Array(count);
      this.#lots = new Float64Array(count);
    }
    this.#ticks.set(ticks.subarray(0, count));
    this.#lots.set(lots.subarray(0, count));
    this.#count = count;
    return rows;
  }

  /** Writes the best level once more. @returns whether there is one. */
  repeat(): boolean {
    if (this.#count === 0) return false;
    this.#say(this.#kind, this.#ticks[0] ?? 0, this.#lots[0] ?? 0);
    return true;
  }

  #sayGone(ticks: Float64Array, count: number): number {
    let rows = 0;
    let at = 0;
    for (let level = 0; level < this.#count; level++) {
      const price = this.#ticks[level] ?? 0;
      while (at < count && this.#isBetter(ticks[at] ?? 0, price)) at++;
      if (at < count && ticks[at] === price) continue;
      this.#say(this.#kind, price, 0);
      rows++;
    }
    return rows;
  }

  #sayChanged(ticks: Float64Array, lots: Float64Array, count: number): number {
    let rows = 0;
    let at = 0;
    for (let level = 0; level < count; level++) {
      const price = ticks[level] ?? 0;
      const size = lots[level] ?? 0;
      while (at < this.#count && this.#isBetter(this.#ticks[at] ?? 0, price)) at++;
      if (at < this.#count && this.#ticks[at] === price && this.#lots[at] === size) continue;
      this.#say(this.#kind, price, size);
      rows++;
    }
    return rows;
  }

  #isBetter(a: number, b: number): boolean {
    return (a - b) * this.#direction < 0;
  }
}

const MINUTE_MS = 60_000;
const UNITS_MS = { m: MINUTE_MS, h: 60 * MINUTE_MS, d: 1_440 * MINUTE_MS };

/** Lengths of candles in ms. */
const LENGTHS_MS: ReadonlyMap<CandleInterval, number> = new Map(
  CANDLE_INTERVALS.map((interval) => [
    interval,
    Number(interval.slice(0, -1)) * UNITS_MS[interval.at(-1) as keyof typeof UNITS_MS],
  ]),
);
