/**
 * @module
 * A strategy without a runtime: markets that the test writes, a virtual clock, and everything the strategy asked for, in
 * order. Nothing is executed: own orders rest and are filled because the test says so. Plain synchronous code, for any
 * test runner.
 */
import {
  heardTopic,
  isTickLevel,
  type Level,
  type OrderDraft,
  type Published,
  publishedBy,
  type QuoteOptions,
  type StrategyContext,
  type StrategyDefinition,
  type TargetQuotes,
  type TickLevel,
  type Topic,
  type TpslDraft,
  type TpslIntents,
  type TriggerDraft,
  type TwapDraft,
  takenBy,
} from '../bot/strategy/index.ts';
import {
  assert,
  deepFrozen,
  must,
  parseDurationMs,
  seededRandom,
  silentLog,
  type Timer,
  type UnixMs,
  VirtualClock,
} from '../core/index.ts';
import {
  type Cursor,
  type Fill,
  type IntentId,
  type MarketSymbol,
  type OrderId,
  type OrderRef,
  quantums,
  type Side,
  type StrategyId,
} from '../domain/index.ts';
import { type DecimalPair, type ScriptedMarket, START_MS } from './scripted-market.ts';

/** Wanted orders in ticks and lots. */
export interface TickQuotes {
  readonly bids: readonly TickLevel[];
  readonly asks: readonly TickLevel[];
  readonly options: QuoteOptions;
}

/** What a strategy asked for with `context.quote`. */
export interface Quoted extends TickQuotes {
  readonly symbol: MarketSymbol;
  readonly atMs: UnixMs;
}

/** Something that happens to a strategy: see {@link ScriptedRun.play}. */
export type ScriptedEvent =
  | { readonly book: string; readonly bids: readonly DecimalPair[]; readonly asks: readonly DecimalPair[] }
  | { readonly trade: string; readonly side: Side; readonly price: string; readonly size: string }
  | { readonly fill: string; readonly side: Side; readonly price: string; readonly size: string }
  | { readonly message: string; readonly value: unknown; readonly from?: string }
  | { readonly wait: string };

/**
 * One instance of a strategy in scripted markets; its `onStart` is not called yet.
 * @example const run = scriptedRun(maker, { size: '0.01' }, market); run.start();
 * @throws ConfigError for parameters that the strategy refuses.
 */
export function scriptedRun(
  definition: StrategyDefinition,
  parameters: unknown,
  ...markets: readonly ScriptedMarket[]
): ScriptedRun {
  return new ScriptedRun(definition, parameters, { markets });
}

/** See the module. */
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
  #idCount = 0;
  readonly instance: ReturnType<StrategyDefinition['create']>;
  /** Every quote in order. */
  readonly quotes: Quoted[] = [];
  readonly pulls: { readonly reason: string; readonly symbol: MarketSymbol | undefined }[] = [];
  /** Every single order in order. */
  readonly placed: OrderDraft[] = [];
  /** Every order that waits for a trigger, in order. */
  readonly conditionals: { readonly order: OrderDraft; readonly trigger: TriggerDraft }[] = [];
  /** Every time-weighted order, in order. */
  readonly twaps: TwapDraft[] = [];
  /** Every take-profit and stop-loss of a position, in order. */
  readonly exits: TpslDraft[] = [];
  /** Every message in order. */
  readonly published: Published[] = [];
  readonly canceled: OrderId[] = [];
  readonly leverages = new Map<MarketSymbol, number>();
  /** What is wanted at present in each market; no entry: nothing was said yet. */
  readonly wanted = new Map<MarketSymbol, TickQuotes>();
  stopReason: string | undefined;
  /** Takes what the strategy saves; false: it could not be stored. */
  store: (state: unknown) => boolean = () => true;
  readonly #definition: StrategyDefinition;
  readonly #markets: ReadonlyMap<string, ScriptedMarket>;
  readonly #timers = new Map<string, Timer>();

  constructor(
    definition: StrategyDefinition,
    parameters: unknown,
    options: { readonly markets: readonly ScriptedMarket[]; readonly clock?: VirtualClock },
  ) {
    this.#definition = definition;
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

  /** Calls `onLoad` where something was saved, then `onStart`. */
  start(saved?: unknown): this {
    if (saved !== undefined) this.handlers.onLoad?.(saved);
    this.handlers.onStart?.();
    return this;
  }

  /** Tells the strategy of the market's book as it is now. */
  tellBook(market: ScriptedMarket): void {
    this.handlers.onBook?.(market, market.book);
  }

  /**
   * Sends the strategy a message of another one, of a topic that it hears, with a value in the form in which it is published.
   * @throws ConfigError `STRATEGY_TOPIC_UNKNOWN`, or `STRATEGY_MESSAGE_INVALID` for a value that its schema refuses.
   */
  send(name: string, value: unknown, from = 'another'): this {
    const heard = heardTopic(this.strategyId, this.#definition, name);
    const { value: plain } = publishedBy(from, { publishes: [heard] }, { given: heard, value });
    const taken = takenBy(heard, plain);
    assert('value' in taken, `a value that ${this.strategyId} takes of ${name}`);
    const message = { topic: name, value: taken.value, from: from as StrategyId, atMs: this.now() };
    this.handlers.onMessage?.(deepFrozen(message));
    return this;
  }

  /**
   * Lets events happen one after the other: a book, a trade of others, a fill of an own order, time that passes.
   * @example run.play({ fill: 'BTC-USD', side: 'buy', price: '99990.0', size: '0.01' }, { wait: '5s' });
   */
  play(...events: readonly ScriptedEvent[]): this {
    for (const event of events) this.#play(event);
    return this;
  }

  #play(event: ScriptedEvent): void {
    if ('wait' in event) this.clock.advance(parseDurationMs(event.wait));
    else if ('message' in event) this.send(event.message, event.value, event.from);
    else if ('book' in event) {
      const market = this.market(event.book);
      market.setBook(event);
      this.tellBook(market);
    } else if ('trade' in event) {
      const market = this.market(event.trade);
      this.handlers.onTrade?.(market, {
        ...{ id: this.#nextId(), symbol: market.symbol, aggressor: event.side, atMs: this.now() },
        ...{ priceTicks: market.ticksOf(event.price), sizeLots: market.lotsOf(event.size) },
      });
    } else this.#fill(this.market(event.fill), event);
  }

  #fill(market: ScriptedMarket, { side, price, size }: { side: Side; price: string; size: string }): void {
    const [priceTicks, sizeLots] = [market.ticksOf(price), market.lotsOf(size)];
    market.applyFill(side === 'buy' ? sizeLots : -sizeLots, priceTicks);
    const { symbol, inventoryLots, averageEntryTicks } = market;
    const id = this.#nextId();
    const fill: Fill = {
      ...{ id, orderId: id as string as OrderId },
      ...{ symbol, side, role: 'maker', priceTicks, sizeLots, fee: quantums(0n), atMs: this.now() },
    };
    this.handlers.onFill?.(fill, market);
    this.handlers.onPosition?.({ symbol, inventoryLots, averageEntryTicks, reason: undefined }, market);
  }

  #nextId(): Cursor {
    this.#idCount++;
    return `${this.#idCount}-0-0` as Cursor;
  }

  now(): UnixMs {
    return (this.clock.nowMs() - this.#setBackMs) as UnixMs;
  }

  /** The clock of the machine is set back; timers go on. */
  setClockBack(byMs: number): void {
    this.#setBackMs += byMs;
  }

  market(symbol: MarketSymbol | string): ScriptedMarket {
    return must(this.#markets.get(symbol), `a market of the run (${this.symbols.join(', ')}), got ${symbol}`);
  }

  quote(symbol: MarketSymbol, target: TargetQuotes, options: QuoteOptions = {}): void {
    const inTicks = (level: Level): TickLevel => this.#levelOf(symbol, level);
    const [bids, asks] = [target.bids.map(inTicks), target.asks.map(inTicks)];
    this.quotes.push({ symbol, bids, asks, options, atMs: this.now() });
    this.wanted.set(symbol, { bids, asks, options });
  }

  #levelOf(symbol: MarketSymbol, level: Level): TickLevel {
    if (isTickLevel(level)) return level;
    const view = this.market(symbol);
    return { priceTicks: view.ticksOf(level.price), sizeLots: view.lotsOf(level.size) };
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

  placeConditional(order: OrderDraft, trigger: TriggerDraft): IntentId {
    this.conditionals.push({ order, trigger });
    return `conditional-${this.conditionals.length}` as IntentId;
  }

  placeTwap(order: TwapDraft): IntentId {
    this.twaps.push(order);
    return `twap-${this.twaps.length}` as IntentId;
  }

  placeTpsl(order: TpslDraft): TpslIntents {
    this.exits.push(order);
    const name = `exits-${this.exits.length}`;
    return { takeProfit: `${name}-takeProfit` as IntentId, stopLoss: `${name}-stopLoss` as IntentId };
  }

  cancel(ref: OrderRef): void {
    this.canceled.push(ref.orderId);
  }

  cancelAll(symbol?: MarketSymbol): void {
    for (const market of this.#markets.values())
      if (symbol === undefined || market.symbol === symbol)
        this.canceled.push(...market.orders.map(({ orderId }) => orderId));
  }

  setLeverage(symbol: MarketSymbol, leverage: number): void {
    this.leverages.set(symbol, leverage);
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

  publish(topic: Topic, value: unknown): void {
    this.published.push(publishedBy(this.strategyId, this.#definition, { given: topic, value }));
  }

  stop(reason: string): void {
    this.stopReason = reason;
  }
}
