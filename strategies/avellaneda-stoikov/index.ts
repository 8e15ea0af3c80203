/**
 * @module
 * A market maker after Avellaneda and Stoikov: one order per side around a reservation price that leans against the
 * inventory, as wide as volatility and liquidity ask for. Volatility is estimated while it runs. See the README beside
 * this file. What this does not do: estimate the liquidity, take, or hedge.
 */
import {
  type Decimal,
  type Degradation,
  defineStrategy,
  type Fill,
  type MarketSymbol,
  type MarketView,
  param,
  type StrategyContext,
  type StrategyHandlers,
  type TimerEvent,
  Volatility,
} from 'ballast/strategy';
import { modelQuotesOf } from './quotes.ts';
import { type QuoteBounds, type QuoteSizes, type Target, targetOf } from './target.ts';

/** The parameters as they are used; their text forms are in the README. Prices in ppm of the mid, inventory in orders. */
export interface StoikovParameters extends QuoteBounds {
  /** Size of each order in units of the market. */
  readonly size: Decimal;
  /** Greatest inventory, long or short, in units of the market. */
  readonly maxInventory: Decimal;
  /** γ, per ppm and order. */
  readonly riskAversion: Decimal;
  /** κ, per ppm. */
  readonly liquidity: Decimal;
  /** T - t, ms, or the length of a session in which it runs down. */
  readonly horizon: number;
  /** `constant`: T - t is the horizon, for trading does not end; `session`: T is each multiple of the horizon in UTC. */
  readonly horizonKind: 'constant' | 'session';
  /** σ until enough has been seen, ppm per square root of a second. */
  readonly startVolatilityPpm: number;
  /** Half-life of the estimate of σ, ms. */
  readonly volatilityHalfLife: number;
  /** An order this many ticks from where it should be stays. */
  readonly requoteTicks: number;
  /** Time between two quotes, ms; fills are answered at once. */
  readonly requoteInterval: number;
}

const ppm = () => param.integer({ min: 0, max: 100_000 });

const parameters = param
  .object({
    size: param.decimal({ above: '0' }),
    maxInventory: param.decimal({ above: '0' }),
    riskAversion: param.decimal({ above: '0', max: '1000' }),
    liquidity: param.decimal({ above: '0', max: '1000' }),
    horizon: param.durationMs().prefault('30s'),
    horizonKind: param.choice(['constant', 'session']).prefault('constant'),
    startVolatilityPpm: ppm().prefault(100),
    volatilityHalfLife: param.durationMs().prefault('5m'),
    minHalfSpreadPpm: ppm().prefault(0),
    maxHalfSpreadPpm: ppm().prefault(10_000),
    maxSkewPpm: ppm().prefault(10_000),
    requoteTicks: param.integer({ min: 0, max: 1_000_000 }).prefault(0),
    requoteInterval: param.durationMs().prefault('250ms'),
  })
  .refine((values) => values.minHalfSpreadPpm <= values.maxHalfSpreadPpm, {
    path: ['minHalfSpreadPpm'],
    error: 'at most maxHalfSpreadPpm',
  })
  .refine((values) => values.requoteInterval >= 50, { path: ['requoteInterval'], error: 'at least 50ms' })
  .refine((values) => values.volatilityHalfLife > 0, {
    path: ['volatilityHalfLife'],
    error: 'above 0s',
  })
  .refine((values) => values.horizonKind === 'constant' || values.horizon > 0, {
    path: ['horizon'],
    error: 'above 0s for a session',
  });

/** The strategy `avellaneda-stoikov`. */
export default defineStrategy({
  name: 'avellaneda-stoikov',
  summary: 'Quotes around a reservation price that leans against inventory and volatility.',
  parameters,
  create: (context, values) => new AvellanedaStoikov(context, values),
});

/** From so many changes on the estimate is believed. */
const CHANGES_MIN = 30;
const SAMPLE_MS = 1_000;
const MINUTE_MS = 60_000;

class AvellanedaStoikov implements StrategyHandlers<StoikovParameters> {
  readonly #context: StrategyContext;
  #parameters: StoikovParameters;
  readonly #sizes = new Map<MarketSymbol, QuoteSizes>();
  readonly #volatility = new Map<MarketSymbol, Volatility>();
  /** σ of an earlier run. */
  readonly #saved = new Map<string, number>();
  readonly #nextQuoteAtMs = new Map<MarketSymbol, number>();
  /** Why no quotes are wanted in a market at present. */
  readonly #pulled = new Map<MarketSymbol, string>();
  /** Reasons of {@link Degradation}, by market; `undefined`: the account. */
  readonly #degraded = new Map<MarketSymbol | undefined, string>();

  constructor(context: StrategyContext, values: StoikovParameters) {
    this.#context = context;
    this.#parameters = values;
  }

  onLoad(saved: unknown): void {
    if (typeof saved !== 'object' || saved === null) return;
    for (const [symbol, sigma] of Object.entries(saved))
      if (typeof sigma === 'number' && sigma > 0 && Number.isFinite(sigma)) this.#saved.set(symbol, sigma);
  }

  onSave(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#context.symbols.map((symbol) => [symbol, this.#sigmaOf(symbol)]));
  }

  onStart(): void {
    for (const symbol of this.#context.symbols) {
      const volatility = new Volatility(this.#parameters.volatilityHalfLife);
      for (const { closeTicks, startAtMs } of this.#context.market(symbol).candles('1m'))
        if (startAtMs + MINUTE_MS <= this.#context.now())
          volatility.observe(logPpmOf(closeTicks), startAtMs + MINUTE_MS);
      this.#volatility.set(symbol, volatility);
    }
    this.#context.startInterval('sample', SAMPLE_MS);
    this.onParameters(this.#parameters);
  }

  onParameters(values: StoikovParameters): void {
    this.#parameters = values;
    this.#context.startInterval('requote', values.requoteInterval);
    for (const symbol of this.#context.symbols) {
      const view = this.#context.market(symbol);
      this.#sizes.set(symbol, {
        sizeLots: view.sizeOf(values.size),
        maxInventoryLots: view.sizeOf(values.maxInventory),
      });
      this.#quote(view);
    }
  }

  onBook(view: MarketView): void {
    this.#quoteIfDue(view);
  }

  onBbo(view: MarketView): void {
    this.#quoteIfDue(view);
  }

  onTimer({ name }: TimerEvent): void {
    for (const symbol of this.#context.symbols) {
      const view = this.#context.market(symbol);
      if (name === 'sample') this.#sample(view);
      else this.#quoteIfDue(view);
    }
  }

  onFill(_fill: Fill, view: MarketView): void {
    this.#quote(view);
  }

  onDegraded({ symbol, reason }: Degradation): void {
    this.#degraded.set(symbol, reason);
    for (const one of symbol === undefined ? this.#context.symbols : [symbol])
      this.#quote(this.#context.market(one));
  }

  onResumed(symbol: MarketSymbol | undefined): void {
    if (symbol === undefined) this.#degraded.clear();
    else this.#degraded.delete(symbol);
    for (const one of symbol === undefined ? this.#context.symbols : [symbol])
      this.#quote(this.#context.market(one));
  }

  /** T - t. Sessions hang on the clock alone, so that a bot that starts again finds the one it was in. */
  #leftMs(): number {
    const { horizon, horizonKind } = this.#parameters;
    return horizonKind === 'constant' ? horizon : horizon - (this.#context.now() % horizon);
  }

  /** The middle of others' orders at even times: each change of a book would count the bounce between bid and ask. */
  #sample(view: MarketView): void {
    const mid = view.foreignMidTicks;
    if (mid === undefined || !view.isFresh) return;
    this.#volatility.get(view.symbol)?.observe(logPpmOf(mid), this.#context.now());
  }

  #sigmaOf(symbol: MarketSymbol): number {
    const volatility = this.#volatility.get(symbol);
    const isKnown = volatility !== undefined && volatility.count >= CHANGES_MIN;
    return (
      (isKnown ? volatility.perSqrtSecond : undefined) ??
      this.#saved.get(symbol) ??
      this.#parameters.startVolatilityPpm
    );
  }

  #quoteIfDue(view: MarketView): void {
    const waitMs = (this.#nextQuoteAtMs.get(view.symbol) ?? 0) - this.#context.now();
    // A wait longer than any was: the clock was set back.
    if (waitMs <= 0 || waitMs > this.#parameters.requoteInterval) this.#quote(view);
  }

  #quote(view: MarketView): void {
    const sizes = this.#sizes.get(view.symbol);
    if (sizes === undefined) return;
    const wanted = this.#wanted(view, sizes);
    if (typeof wanted === 'string') {
      if (this.#pulled.get(view.symbol) === wanted) return;
      this.#pulled.set(view.symbol, wanted);
      this.#context.pullQuotes(wanted, view.symbol);
      return;
    }
    this.#pulled.delete(view.symbol);
    const { requoteInterval, requoteTicks } = this.#parameters;
    this.#nextQuoteAtMs.set(view.symbol, this.#context.now() + requoteInterval);
    this.#context.quote(view.symbol, wanted, { priceToleranceTicks: toleranceOf(wanted, requoteTicks) });
  }

  /** The wanted quotes, or why there are none. */
  #wanted(view: MarketView, sizes: QuoteSizes): Target | string {
    const degraded = this.#degraded.get(undefined) ?? this.#degraded.get(view.symbol);
    if (degraded !== undefined) return degraded;
    if (!view.isTradable) return 'the market takes no orders';
    if (!view.isFresh) return 'the market data is not fresh';
    const { foreignBidTicks: bidTicks, foreignAskTicks: askTicks, inventoryLots } = view;
    if (bidTicks === undefined || askTicks === undefined) return 'one side of the book is empty';
    const { riskAversion, liquidity } = this.#parameters;
    const modelPpm = modelQuotesOf({
      mid: 0,
      inventory: inventoryLots / sizes.sizeLots,
      gamma: riskAversion.toNumber(),
      sigma: this.#sigmaOf(view.symbol),
      kappa: liquidity.toNumber(),
      timeLeft: this.#leftMs() / 1_000,
    });
    const bounds = this.#parameters;
    const target = targetOf({ market: view, bidTicks, askTicks, inventoryLots, modelPpm, bounds, sizes });
    if (target.bids.length + target.asks.length > 0) return target;
    return 'the size is below the smallest notional of the market';
  }
}

/** A price as ppm of itself on a scale whose steps add up. */
function logPpmOf(priceTicks: number): number {
  return Math.log(priceTicks) * 1_000_000;
}

/** `requoteTicks`, but never so many that an order which stays could meet a new one of the other side. */
function toleranceOf({ bids: [bid], asks: [ask] }: Target, requoteTicks: number): number {
  if (bid === undefined || ask === undefined) return requoteTicks;
  return Math.max(0, Math.min(requoteTicks, Math.floor((ask.priceTicks - bid.priceTicks - 1) / 2)));
}
