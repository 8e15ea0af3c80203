/**
 * @module
 * A market that is what a test says it is. The book holds everybody's orders, own ones included. What this does not do:
 * match anything.
 */
import type { MarketView } from '../bot/strategy/index.ts';
import { Decimal, must, type UnixMs } from '../core/index.ts';
import {
  type Book,
  bookOf,
  type Candle,
  ceilToTick,
  floorToTick,
  type Lots,
  lots,
  type Market,
  type MarketSymbol,
  type Ppm,
  type Prices,
  parsePrice,
  parseSize,
  quantums,
  type Ticks,
  ticks,
  type WorkingOrder,
} from '../domain/index.ts';

/** A level in ticks and lots. */
export type Level = readonly [priceTicks: number, sizeLots: number];

/** A level as decimal text, such as `['99990.0', '0.5']`. */
export type DecimalPair = readonly [price: string, size: string];

/** When scripted time begins, Unix ms. */
export const START_MS = 1_800_000_000_000 as UnixMs;

/** What {@link scriptedMarket} is made of; what is left out is that of BTC-USD. */
export interface ScriptedMarketOptions {
  readonly symbol?: string;
  /** Decimals of a price: one tick is a unit of the last one. Default 1. */
  readonly priceDecimals?: number;
  /** Decimals of a size. Default 3. */
  readonly sizeDecimals?: number;
  /** Least notional of an order, whole units of collateral. Default 10. */
  readonly minNotional?: number;
  /** Orders of others, best first. */
  readonly bids?: readonly DecimalPair[];
  readonly asks?: readonly DecimalPair[];
}

const COLLATERAL_DECIMALS = 6;

/**
 * A market for a scripted run, priced in a collateral of six decimals.
 * @example scriptedMarket({ bids: [['99990.0', '0.5']], asks: [['100010.0', '0.5']] })
 */
export function scriptedMarket(options: ScriptedMarketOptions = {}): ScriptedMarket {
  const { symbol = 'BTC-USD', priceDecimals = 1, sizeDecimals = 3, minNotional = 10 } = options;
  const market = new ScriptedMarket({
    symbol: symbol as MarketSymbol,
    signingMarketId: 0,
    ...{ priceDecimals, sizeDecimals },
    tickStep: ticks(1),
    lotStep: lots(1),
    status: 'Active',
    quantumsPerTickLot: 10n ** BigInt(COLLATERAL_DECIMALS - priceDecimals - sizeDecimals),
    initialMarginPpm: 50_000 as Ppm,
    maintenanceFractionPpm: 600_000 as Ppm,
    minNotional: quantums(BigInt(minNotional) * 10n ** BigInt(COLLATERAL_DECIMALS)),
  });
  market.setBook({ bids: options.bids ?? [], asks: options.asks ?? [] });
  return market;
}

/** See the module. Each field may be set at any time. */
export class ScriptedMarket implements MarketView {
  readonly symbol: MarketSymbol;
  market: Market;
  isTradable = true;
  isFresh = true;
  /** Orders of all participants, best first, in ticks and lots. */
  bids: readonly Level[] = [];
  asks: readonly Level[] = [];
  prices: Prices | undefined;
  inventoryLots: Lots = lots(0);
  averageEntryTicks: number | undefined;
  /** Own orders that rest. */
  orders: readonly WorkingOrder[] = [];
  /** What `candles` gives, of any interval. */
  minuteCandles: readonly Candle[] = [];
  makerFeePpm = 0 as Ppm;
  takerFeePpm = 500 as Ppm;
  readonly bbo = undefined;
  readonly lastTrade = undefined;
  readonly fundingRatePpm = undefined;
  readonly nextFundingAtMs = undefined;

  constructor(market: Market) {
    this.symbol = market.symbol;
    this.market = market;
  }

  /** Replaces the book; levels are decimal text. */
  setBook({
    bids,
    asks,
  }: {
    readonly bids: readonly DecimalPair[];
    readonly asks: readonly DecimalPair[];
  }): void {
    const level = ([price, size]: DecimalPair): Level => [this.ticksOf(price), this.lotsOf(size)];
    this.bids = bids.map(level);
    this.asks = asks.map(level);
  }

  get book(): Book {
    return bookOf(this, { receivedAtMs: START_MS, isFresh: this.isFresh });
  }

  get bestBidTicks(): Ticks | undefined {
    return ticksOf(this.bids[0]);
  }

  get bestAskTicks(): Ticks | undefined {
    return ticksOf(this.asks[0]);
  }

  get midTicks(): number | undefined {
    return middle(this.bestBidTicks, this.bestAskTicks);
  }

  get externalBidTicks(): Ticks | undefined {
    return ticksOf(this.bids.find((level) => this.#isForeign(level)));
  }

  get externalAskTicks(): Ticks | undefined {
    return ticksOf(this.asks.find((level) => this.#isForeign(level)));
  }

  get externalMidTicks(): number | undefined {
    return middle(this.externalBidTicks, this.externalAskTicks);
  }

  get minNotional() {
    return this.market.minNotional;
  }

  get positionLots() {
    return this.inventoryLots;
  }

  /** Mark, index and last price of `indexTicks`. */
  set indexTicks(indexTicks: number) {
    const price = ticks(indexTicks);
    this.prices = {
      ...{ symbol: this.symbol, markTicks: price, indexTicks: price, lastTicks: price },
      ...{ fundingRatePpm: undefined, nextFundingAtMs: undefined, openInterestLots: undefined },
    };
  }

  candles(): readonly Candle[] {
    return this.minuteCandles;
  }

  ticksOf(price: Decimal | string): Ticks {
    return must(parsePrice(this.market, price.toString()), `a price of ${this.symbol}, got ${price}`);
  }

  lotsOf(size: Decimal | string): Lots {
    return must(parseSize(this.market, size.toString()), `a size of ${this.symbol}, got ${size}`);
  }

  floorTicks(value: number): Ticks {
    return floorToTick(this.market, value);
  }

  ceilTicks(value: number): Ticks {
    return ceilToTick(this.market, value);
  }

  toPrice(priceTicks: Ticks): Decimal {
    return new Decimal(priceTicks).div(10 ** this.market.priceDecimals);
  }

  toSize(sizeLots: number): Decimal {
    return new Decimal(sizeLots).div(10 ** this.market.sizeDecimals);
  }

  /** Inventory and its average price after a fill. */
  applyFill(signedLots: number, priceTicks: number): void {
    const before = this.inventoryLots;
    const after = before + signedLots;
    const isAdded = Math.sign(before) !== -Math.sign(signedLots);
    if (after === 0) this.averageEntryTicks = undefined;
    else if (isAdded)
      this.averageEntryTicks =
        ((this.averageEntryTicks ?? 0) * Math.abs(before) + priceTicks * Math.abs(signedLots)) /
        Math.abs(after);
    else if (Math.sign(after) !== Math.sign(before)) this.averageEntryTicks = priceTicks;
    this.inventoryLots = after as Lots;
  }

  #isForeign([price, size]: Level): boolean {
    const own = this.orders.filter((order) => order.priceTicks === price);
    return size > own.reduce((sum, order) => sum + order.remainingLots, 0);
  }
}

function ticksOf(level: Level | undefined): Ticks | undefined {
  return level === undefined ? undefined : ticks(level[0]);
}

function middle(bid: Ticks | undefined, ask: Ticks | undefined): number | undefined {
  return bid === undefined || ask === undefined ? undefined : (bid + ask) / 2;
}
