/**
 * @module
 * A strategy without a runtime: markets whose books the test writes, a virtual clock, and everything the strategy asked
 * for, in order. Nothing is executed; own orders rest because the test says so.
 */

import {
  Decimal,
  type MarketView,
  type OrderDraft,
  type QuoteOptions,
  type StrategyContext,
  type StrategyDefinition,
  type TargetQuotes,
  type TickLevel,
} from '../../src/bot/strategy/index.ts';
import { seededRandom, silentLog, type Timer, type UnixMs, VirtualClock } from '../../src/core/index.ts';
import {
  type Book,
  type Candle,
  ceilToTick,
  floorToTick,
  type IntentId,
  lots,
  type Market,
  type MarketSymbol,
  type OrderId,
  type OrderRef,
  type Ppm,
  type Prices,
  parsePrice,
  parseSize,
  quantums,
  type StrategyId,
  type Ticks,
  ticks,
  type WorkingOrder,
} from '../../src/domain/index.ts';
import { aBook, aMarket, START_MS, somePrices } from './trading-builders.ts';

export type Level = readonly [priceTicks: number, sizeLots: number];

/** A market that is what the test says it is. The book holds everybody's orders, own ones included. */
export class ScriptedMarket implements MarketView {
  readonly symbol: MarketSymbol;
  market: Market;
  isTradable = true;
  isFresh = true;
  bids: readonly Level[] = [];
  asks: readonly Level[] = [];
  prices: Prices | undefined;
  inventoryLots = lots(0);
  orders: readonly WorkingOrder[] = [];
  minuteCandles: readonly Candle[] = [];
  readonly bbo = undefined;
  readonly lastTrade = undefined;
  readonly averageEntryTicks = undefined;
  readonly makerFeePpm = 0 as Ppm;
  readonly takerFeePpm = 500 as Ppm;
  readonly fundingRatePpm = undefined;
  readonly nextFundingAtMs = undefined;

  constructor(market: Market = aMarket()) {
    this.symbol = market.symbol;
    this.market = market;
  }

  get book(): Book {
    return aBook({ symbol: this.symbol, bids: this.bids, asks: this.asks });
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

  /** An index price of `indexTicks`. */
  set indexTicks(indexTicks: number) {
    this.prices = somePrices(indexTicks, { symbol: this.symbol });
  }

  candles(): readonly Candle[] {
    return this.minuteCandles;
  }

  ticksOf(price: Decimal | string): Ticks {
    return parsePrice(this.market, price.toString())!;
  }

  lotsOf(size: Decimal | string) {
    return parseSize(this.market, size.toString())!;
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

  #isForeign([price, size]: Level): boolean {
    const own = this.orders.filter((order) => order.priceTicks === price);
    return size > own.reduce((sum, order) => sum + order.remainingLots, 0);
  }
}

/** What a strategy asked for with `context.quote`. */
export interface Quoted extends TickQuotes {
  readonly symbol: MarketSymbol;
  readonly atMs: UnixMs;
}

/** Wanted orders in ticks and lots. */
export interface TickQuotes {
  readonly bids: readonly TickLevel[];
  readonly asks: readonly TickLevel[];
  readonly options: QuoteOptions;
}

/** One instance of a strategy in scripted markets. */
export class ScriptedRun implements StrategyContext {
  readonly strategyId = 'under-test' as StrategyId;
  readonly symbols: readonly MarketSymbol[];
  readonly account = {
    isSynced: true,
    summary: undefined,
    pnl: { realized: quantums(0n), unrealized: quantums(0n), fees: quantums(0n), funding: quantums(0n) },
  };
  readonly random = seededRandom(1);
  readonly log = silentLog;
  readonly clock: VirtualClock;
  #setBackMs = 0;
  readonly instance: ReturnType<StrategyDefinition['create']>;
  readonly quotes: Quoted[] = [];
  readonly pulls: { readonly reason: string; readonly symbol: MarketSymbol | undefined }[] = [];
  readonly placed: OrderDraft[] = [];
  readonly canceled: OrderId[] = [];
  /** What is wanted at present in each market; no entry: nothing was said yet. */
  readonly wanted = new Map<MarketSymbol, TickQuotes>();
  stopReason: string | undefined;
  /** Takes what the strategy saves; false: it could not be stored. */
  store: (state: unknown) => boolean = () => true;
  readonly #markets: ReadonlyMap<string, ScriptedMarket>;
  readonly #timers = new Map<string, Timer>();

  constructor(
    definition: StrategyDefinition,
    parameters: unknown,
    options: { readonly markets: readonly ScriptedMarket[]; readonly clock?: VirtualClock },
  ) {
    this.symbols = options.markets.map((market) => market.symbol);
    this.clock = options.clock ?? new VirtualClock(START_MS);
    this.#markets = new Map(options.markets.map((market) => [market.symbol, market]));
    this.instance = definition.create(this, parameters);
  }

  get handlers() {
    return this.instance.handlers;
  }

  /** The newest quote. */
  get last(): Quoted | undefined {
    return this.quotes.at(-1);
  }

  /** Tells the strategy of the market's book as it is now. */
  tellBook(market: ScriptedMarket): void {
    this.handlers.onBook?.(market, market.book);
  }

  now(): UnixMs {
    return (this.clock.nowMs() - this.#setBackMs) as UnixMs;
  }

  /** The clock of the machine is set back; timers go on. */
  setClockBack(byMs: number): void {
    this.#setBackMs += byMs;
  }

  market(symbol: MarketSymbol | string): ScriptedMarket {
    return this.#markets.get(symbol)!;
  }

  quote(symbol: MarketSymbol, target: TargetQuotes, options: QuoteOptions = {}): void {
    const [bids, asks] = [target.bids as readonly TickLevel[], target.asks as readonly TickLevel[]];
    this.quotes.push({ symbol, bids, asks, options, atMs: this.now() });
    this.wanted.set(symbol, { bids, asks, options });
  }

  pullQuotes(reason: string, symbol?: MarketSymbol): void {
    this.pulls.push({ reason, symbol });
    for (const one of symbol === undefined ? this.symbols : [symbol])
      this.wanted.set(one, { bids: [], asks: [], options: {} });
  }

  place(order: OrderDraft): IntentId {
    this.placed.push(order);
    return `intent-${this.placed.length}` as IntentId;
  }

  cancel(ref: OrderRef): void {
    this.canceled.push(ref.orderId);
  }

  cancelAll(): void {
    throw new Error('not scripted');
  }

  setLeverage(): void {
    throw new Error('not scripted');
  }

  startTimer(name: string, delayMs: number): void {
    this.stopTimer(name);
    this.#timers.set(
      name,
      this.clock.after(delayMs, () => this.handlers.onTimer?.({ name, atMs: this.now() })),
    );
  }

  startInterval(name: string, periodMs: number): void {
    this.stopTimer(name);
    this.#timers.set(
      name,
      this.clock.every(periodMs, () => this.handlers.onTimer?.({ name, atMs: this.now() })),
    );
  }

  stopTimer(name: string): void {
    this.#timers.get(name)?.cancel();
  }

  save(): boolean {
    const state = this.handlers.onSave?.();
    return state !== undefined && this.store(state);
  }

  stop(reason: string): void {
    this.stopReason = reason;
  }
}

function ticksOf(level: Level | undefined): Ticks | undefined {
  return level === undefined ? undefined : ticks(level[0]);
}

function middle(bid: Ticks | undefined, ask: Ticks | undefined): number | undefined {
  return bid === undefined || ask === undefined ? undefined : (bid + ask) / 2;
}
