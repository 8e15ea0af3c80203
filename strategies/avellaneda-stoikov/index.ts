/**
 * @module
 * A market maker after Avellaneda and Stoikov: one order per side around a reservation price that leans against the
 * inventory, as wide as volatility and liquidity ask for. Volatility is estimated while it runs. See the README beside
 * this file. What this does not do: estimate the liquidity, take, or hedge.
 */
import {
  type Decimal,
  defineStrategy,
  isEmpty,
  lotSizesOf,
  type MarketSymbol,
  type MarketView,
  param,
  partOf,
  perMarket,
  Quoter,
  quotesOf,
  type StrategyContext,
  type StrategyHandlers,
  TOO_SMALL,
  type Touch,
  Volatility,
  type Wanted,
  within,
} from 'ballast/strategy';
import { modelQuotesOf } from './quotes.ts';

/** The parameters as they are used; their text forms are in the README. Prices in ppm of the mid, inventory in orders. */
export interface StoikovParameters {
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
  /** Bounds that hold whatever the model says, ppm of the mid. */
  readonly minHalfSpreadPpm: number;
  readonly maxHalfSpreadPpm: number;
  /** The reservation price is at most this far from the mid. */
  readonly maxSkewPpm: number;
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
  create,
});

/** From so many changes on the estimate is believed. */
const CHANGES_MIN = 30;
const SAMPLE_TIMER = 'sample';
const SAMPLE_MS = 1_000;
const MINUTE_MS = 60_000;

function create(context: StrategyContext, initial: StoikovParameters): StrategyHandlers<StoikovParameters> {
  let values = initial;
  let termsIn = termsOf(values);
  const estimates = new Map<MarketSymbol, Volatility>();
  /** σ of an earlier run. */
  const saved = new Map<string, number>();

  function sigmaOf(symbol: MarketSymbol): number {
    const volatility = estimates.get(symbol);
    const isKnown = volatility !== undefined && volatility.count >= CHANGES_MIN;
    return (isKnown ? volatility.perSqrtSecond : undefined) ?? saved.get(symbol) ?? values.startVolatilityPpm;
  }

  /** T - t. Sessions hang on the clock alone, so that a bot that starts again finds the one it was in. */
  function leftMs(): number {
    const { horizon, horizonKind } = values;
    return horizonKind === 'constant' ? horizon : horizon - (context.now() % horizon);
  }

  function wantedOf(view: MarketView, touch: Touch): Wanted | string {
    const { sizeLots, maxLots, gamma, kappa } = termsIn(view);
    const { inventoryLots } = view;
    const { reservation, spread } = modelQuotesOf({
      mid: 0,
      inventory: inventoryLots / sizeLots,
      gamma,
      sigma: sigmaOf(view.symbol),
      kappa,
      timeLeft: leftMs() / 1_000,
    });
    const { midTicks } = touch;
    const centre = midTicks + partOf(midTicks, within(reservation, -values.maxSkewPpm, values.maxSkewPpm));
    const halfPpm = within(spread / 2, values.minHalfSpreadPpm, values.maxHalfSpreadPpm);
    // Half a tick at the least: with no spread at all the two sides could meet.
    const half = Math.max(partOf(midTicks, halfPpm), view.market.tickStep / 2);
    const wanted = quotesOf({
      market: view,
      touch,
      requoteTicks: values.requoteTicks,
      bids: { prices: [centre - half], sizeLots, roomLots: maxLots - inventoryLots },
      asks: { prices: [centre + half], sizeLots, roomLots: maxLots + inventoryLots },
    });
    return isEmpty(wanted) ? TOO_SMALL : wanted;
  }

  /** The middle of others' orders at even times: each change of a book would count the bounce between bid and ask. */
  function sample(view: MarketView): void {
    const mid = view.foreignMidTicks;
    if (mid === undefined || !view.isFresh) return;
    estimates.get(view.symbol)?.observe(logPpmOf(mid), context.now());
  }

  const quoter = new Quoter(context, wantedOf);
  return {
    ...quoter.handlers,
    onLoad(state) {
      if (typeof state !== 'object' || state === null) return;
      for (const [symbol, sigma] of Object.entries(state))
        if (typeof sigma === 'number' && sigma > 0 && Number.isFinite(sigma)) saved.set(symbol, sigma);
    },
    onSave: () => Object.fromEntries(context.symbols.map((symbol) => [symbol, sigmaOf(symbol)])),
    onStart() {
      for (const symbol of context.symbols)
        estimates.set(symbol, volatilityOf(context, symbol, values.volatilityHalfLife));
      context.startInterval(SAMPLE_TIMER, SAMPLE_MS);
      quoter.start(values.requoteInterval);
    },
    onParameters(next) {
      values = next;
      termsIn = termsOf(next);
      quoter.start(next.requoteInterval);
    },
    onTimer(timer) {
      if (timer.name === SAMPLE_TIMER) for (const symbol of context.symbols) sample(context.market(symbol));
      else quoter.handlers.onTimer(timer);
    },
  };
}

/** Sizes in lots, and the model's constants as numbers. */
function termsOf(values: StoikovParameters) {
  const sizesIn = lotSizesOf(values);
  const [gamma, kappa] = [values.riskAversion.toNumber(), values.liquidity.toNumber()];
  return perMarket((view) => ({ ...sizesIn(view), gamma, kappa }));
}

/** An estimate with the past that candles of one minute give it. */
function volatilityOf(context: StrategyContext, symbol: MarketSymbol, halfLifeMs: number): Volatility {
  const volatility = new Volatility(halfLifeMs);
  for (const { closeTicks, startAtMs } of context.market(symbol).candles('1m'))
    if (startAtMs + MINUTE_MS <= context.now())
      volatility.observe(logPpmOf(closeTicks), startAtMs + MINUTE_MS);
  return volatility;
}

/** A price as ppm of itself on a scale whose steps add up. */
function logPpmOf(priceTicks: number): number {
  return Math.log(priceTicks) * 1_000_000;
}
