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
  type MarketSymbol,
  type Prices,
  type Trade,
} from '../../domain/index.ts';
import {
  EVENT,
  type EventKind,
  type EventRow,
  type EventWriter,
  FLAG_END,
  type TapeMarket,
} from '../format/index.ts';
import { SideRows } from './side-rows.ts';

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

/** Writes the facts of `markets` (by their index in the manifest) to `writer`, which keeps no row: each is written over by the next. */
export function createFactColumns(writer: EventWriter, markets: readonly TapeMarket[]): FactColumns {
  const frame = new Frame(writer);
  const rows = new Map<string, MarketRows>(
    markets.map(({ symbol }, place) => [symbol, new MarketRows(frame, place)]),
  );
  return {
    take(fact, atMs) {
      const market = rows.get(symbolOf(fact));
      frame.begin(market?.place ?? 0, atMs);
      market?.take(fact, atMs);
      frame.end();
    },
    takeFeed(place, line, atMs) {
      frame.begin(place, atMs);
      frame.say(EVENT.feed, 0, 0, line);
      frame.end();
    },
  };
}

/** The symbol a market fact is about. */
export function symbolOf(fact: MarketFact): MarketSymbol {
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

type Row = { -readonly [Key in keyof EventRow]: EventRow[Key] };

/** The rows of one fact: each is written when the next one comes, so that the last one can be marked. */
class Frame {
  readonly #writer: EventWriter;
  /** Written over for each row: a writer keeps none. */
  readonly #row: Row = {
    ...{ kind: EVENT.bookReset, flags: 0, market: 0, exchangeUs: 0, receivedUs: 0, price: 0, size: 0, id: 0 },
  };
  #hasRow = false;
  #market = 0;
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

  /** Begins the rows of a fact about the market, or the feed, at `place` of the manifest. */
  begin(place: number, atMs: UnixMs): void {
    this.#market = place;
    this.#hasRow = false;
    this.#receivedUs = Math.floor(atMs * 1_000);
    this.#us = Math.max(this.#us, this.#receivedUs);
  }

  say(kind: EventKind, price: number, size: number, id: number): void {
    const row = this.#row;
    if (this.#hasRow) this.#writer.write(row);
    this.#hasRow = true;
    row.kind = kind;
    row.flags = 0;
    row.market = this.#market;
    row.exchangeUs = this.#us;
    row.receivedUs = this.#receivedUs;
    row.price = price;
    row.size = size;
    row.id = id;
  }

  end(): void {
    if (!this.#hasRow) return;
    this.#hasRow = false;
    this.#row.flags = FLAG_END;
    this.#writer.write(this.#row);
  }
}

const PPB_PER_PPM = 1_000;

/** What was last written of one market, and the rows that bring it up to date. */
class MarketRows {
  readonly #frame: Frame;
  /** Its index in the manifest. */
  readonly place: number;
  readonly #bids: SideRows;
  readonly #asks: SideRows;
  #isBookKnown = false;
  #status: string | undefined;
  #prices: Partial<Prices> = {};
  #trades = 0;
  #beganMs: UnixMs | undefined;
  #settledMs = 0;

  constructor(frame: Frame, place: number) {
    this.#frame = frame;
    this.place = place;
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
    this.#frame.say(kind, price, size, id);
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
