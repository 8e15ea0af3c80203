/**
 * @module
 * One market as one strategy sees it: reads through to the market state and the account state, keeps nothing.
 */
import { absent, ConfigError, Decimal, formatScaled, type UnixMs } from '../../core/index.ts';
import {
  type AccountView,
  type Bbo,
  type Book,
  bestAskOf,
  bestBidOf,
  type Candle,
  type CandleInterval,
  ceilToTick,
  floorToTick,
  isOutsideBook,
  isTradable,
  type Lots,
  type Market,
  type MarketRecord,
  type MarketState,
  type MarketSymbol,
  midOf,
  type Ppm,
  type Prices,
  type Quantums,
  type Side,
  type StrategyId,
  type Ticks,
  type Trade,
  type WorkingOrder,
} from '../../domain/index.ts';
import type { MarketView } from '../strategy/index.ts';
import { lotsOf, ticksOf } from './levels.ts';

/** What a lens reads. */
export interface MarketViewSources {
  readonly markets: MarketState;
  readonly account: AccountView;
  readonly strategyId: StrategyId;
  /** The local time, Unix ms. */
  now(): UnixMs;
  /** Called once an interval of which there is no candle when it is asked for. */
  noCandles?(symbol: MarketSymbol, interval: CandleInterval): void;
  /** Age from which market data is stale, ms. */
  readonly dataAgeMsMax: number;
}

/** See {@link MarketView}. */
export class LiveMarketView implements MarketView {
  readonly symbol: MarketSymbol;
  readonly #sources: MarketViewSources;
  #known: MarketRecord | undefined;
  /** Intervals that were asked for while there was no candle. */
  readonly #missed = new Set<CandleInterval>();

  constructor(symbol: MarketSymbol, sources: MarketViewSources) {
    this.symbol = symbol;
    this.#sources = sources;
  }

  get market(): Market {
    return this.#record()?.market ?? absent(`the definition of market ${this.symbol}`);
  }

  get isTradable(): boolean {
    const market = this.#record()?.market;
    return market !== undefined && isTradable(market);
  }

  get isFresh(): boolean {
    const record = this.#record();
    if (record?.dataAtMs === undefined || record.staleReason !== undefined) return false;
    return Math.abs(this.#sources.now() - record.dataAtMs) <= this.#sources.dataAgeMsMax;
  }

  get book(): Book | undefined {
    return this.#record()?.book;
  }

  get bbo(): Bbo | undefined {
    return this.#record()?.bbo;
  }

  get prices(): Prices | undefined {
    return this.#record()?.prices;
  }

  get lastTrade(): Trade | undefined {
    return this.#record()?.lastTrade;
  }

  // Both are asked with every row: a call less, and the compiler has room for the rest.
  get bestBidTicks(): Ticks | undefined {
    const record = this.#known ?? this.#find();
    return record === undefined ? undefined : bestBidOf(record);
  }

  get bestAskTicks(): Ticks | undefined {
    const record = this.#known ?? this.#find();
    return record === undefined ? undefined : bestAskOf(record);
  }

  get midTicks(): number | undefined {
    const record = this.#record();
    return record === undefined ? undefined : midOf(record);
  }

  get externalBidTicks(): Ticks | undefined {
    return this.#externalTouch('buy');
  }

  get externalAskTicks(): Ticks | undefined {
    return this.#externalTouch('sell');
  }

  get externalMidTicks(): number | undefined {
    const [bid, ask] = [this.externalBidTicks, this.externalAskTicks];
    return bid === undefined || ask === undefined ? undefined : (bid + ask) / 2;
  }

  get minNotional(): Quantums {
    return this.market.minNotional;
  }

  get makerFeePpm(): Ppm | undefined {
    return this.#sources.account.summary?.makerFeePpm;
  }

  get takerFeePpm(): Ppm | undefined {
    return this.#sources.account.summary?.takerFeePpm;
  }

  get fundingRatePpm(): Ppm | undefined {
    return this.#record()?.prices?.fundingRatePpm;
  }

  get nextFundingAtMs(): UnixMs | undefined {
    return this.#record()?.prices?.nextFundingAtMs;
  }

  get inventoryLots(): Lots {
    return this.#sources.account.positionLots(this.symbol, this.#sources.strategyId);
  }

  get positionLots(): Lots {
    return this.#sources.account.positionLots(this.symbol);
  }

  get averageEntryTicks(): number | undefined {
    return this.#sources.account
      .inventory(this.symbol, this.#sources.strategyId)
      ?.position.averageEntryTicks();
  }

  get orders(): readonly WorkingOrder[] {
    return this.#sources.account.workingOrders(this.symbol, this.#sources.strategyId);
  }

  candles(interval: CandleInterval): readonly Candle[] {
    const candles = this.#sources.markets.candles(this.symbol, interval);
    if (candles.length === 0 && !this.#missed.has(interval)) {
      this.#missed.add(interval);
      this.#sources.noCandles?.(this.symbol, interval);
    }
    return candles;
  }

  ticksOf(price: Decimal | string): Ticks {
    return fitting(ticksOf(this.market, price), `a price of ${this.symbol} on its tick`, price);
  }

  lotsOf(size: Decimal | string): Lots {
    return fitting(lotsOf(this.market, size), `a size of ${this.symbol} on its lot`, size);
  }

  floorTicks(value: number): Ticks {
    return floorToTick(this.market, value);
  }

  ceilTicks(value: number): Ticks {
    return ceilToTick(this.market, value);
  }

  toPrice(priceTicks: Ticks): Decimal {
    return new Decimal(formatScaled(priceTicks, this.market.priceDecimals));
  }

  toSize(sizeLots: Lots): Decimal {
    return new Decimal(formatScaled(sizeLots, this.market.sizeDecimals));
  }

  /** A record is one object for the whole run: it is looked up until it is there. A method: a private getter is no fast one. */
  #record(): MarketRecord | undefined {
    return this.#known ?? this.#find();
  }

  #find(): MarketRecord | undefined {
    this.#known = this.#sources.markets.get(this.symbol);
    return this.#known;
  }

  /** The first level at which others have size; own orders of the whole account are taken off first. */
  #externalTouch(side: Side): Ticks | undefined {
    const record = this.#record();
    if (record === undefined) return undefined;
    const touch = side === 'buy' ? bestBidOf(record) : bestAskOf(record);
    const own = this.#sources.account.workingOrders(this.symbol);
    const { book } = record;
    if (touch === undefined || own.length === 0 || book === undefined) return touch;
    const [count, prices, sizes] =
      side === 'buy'
        ? [book.bidCount, book.bidTicks, book.bidLots]
        : [book.askCount, book.askTicks, book.askLots];
    for (let level = 0; level < count; level++) {
      const ticks = prices[level] ?? 0;
      if ((sizes[level] ?? 0) > ownLotsAt(own, side, ticks)) return ticks as Ticks;
    }
    return undefined;
  }
}

function ownLotsAt(own: readonly WorkingOrder[], side: Side, ticks: number): number {
  let sum = 0;
  for (const order of own) {
    // What waits is in no book.
    if (order.side === side && order.priceTicks === ticks && !isOutsideBook(order))
      sum += order.remainingLots;
  }
  return sum;
}

function fitting<T>(value: T | undefined, expected: string, was: Decimal | string): T {
  if (value !== undefined) return value;
  throw new ConfigError({
    code: 'STRATEGY_VALUE_OFF_STEP',
    message: `expected ${expected}, got ${typeof was === 'string' ? was.slice(0, 40) : was.toFixed()}`,
    remedy: 'Give it with fewer decimals; nothing is rounded silently.',
  });
}
