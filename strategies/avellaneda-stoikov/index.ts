/**
 * @module
 * A market maker after Avellaneda and Stoikov: one order per side around a reservation price that leans against the
 * inventory, as wide as volatility and liquidity ask for. Volatility is estimated while it runs. See the README beside
 * this file. What this does not do: estimate the liquidity, take, or hedge.
 */
import {
  compose,
  type Decimal,
  defineStrategy,
  HALF_SPREADS_IN_ORDER,
  lotSizesOf,
  type MarketSymbol,
  MidVolatility,
  type ModelParameters,
  modelParams,
  modelQuotes,
  ParameterQuoter,
  param,
  perMarket,
  type QuoteFunction,
  requoteParams,
  type StrategyContext,
  type StrategyHandlers,
  sizeParams,
} from 'ballast/strategy';
import { modelQuotesOf } from './quotes.ts';

/** The parameters as they are used; their text forms are in the README. Prices in ppm of the mid, inventory in orders. */
export interface StoikovParameters extends ModelParameters {
  /** γ, per ppm and order. */
  readonly riskAversion: Decimal;
  /** κ, per ppm. */
  readonly liquidity: Decimal;
  /** T - t, ms, or the length of a session in which it runs down. */
  readonly horizon: number;
  /** `constant`: T - t is the horizon, for trading does not end; `session`: T is each multiple of the horizon in UTC. */
  readonly horizonKind: 'constant' | 'session';
}

const parameters = param
  .object({
    ...sizeParams(),
    riskAversion: param.decimal({ above: '0', max: '1000' }),
    liquidity: param.decimal({ above: '0', max: '1000' }),
    horizon: param.durationMs().prefault('30s'),
    horizonKind: param.choice(['constant', 'session']).prefault('constant'),
    ...modelParams(),
    ...requoteParams(),
  })
  .refine(...HALF_SPREADS_IN_ORDER)
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

function create(context: StrategyContext, initial: StoikovParameters): StrategyHandlers<StoikovParameters> {
  const volatility = new MidVolatility(context);
  /** σ of an earlier run. */
  const saved = new Map<string, number>();

  function sigmaOf(symbol: MarketSymbol, { startVolatilityPpm }: StoikovParameters): number {
    return volatility.perSqrtSecond(symbol) ?? saved.get(symbol) ?? startVolatilityPpm;
  }

  function quotesBy(values: StoikovParameters): QuoteFunction {
    const termsIn = termsOf(values);
    return (view, touch) => {
      const terms = termsIn(view);
      const { reservation, spread } = modelQuotesOf({
        mid: 0,
        inventory: view.inventoryLots / terms.sizeLots,
        gamma: terms.gamma,
        sigma: sigmaOf(view.symbol, values),
        kappa: terms.kappa,
        timeLeft: leftMs(values, context.now()) / 1_000,
      });
      return modelQuotes(view, touch, values, {
        skewPpm: reservation,
        halfSpreadPpm: spread / 2,
        sizes: terms,
      });
    };
  }

  const quoter = new ParameterQuoter(context, initial, quotesBy);
  const estimate: StrategyHandlers<StoikovParameters> = {
    onLoad(state) {
      if (typeof state !== 'object' || state === null) return;
      for (const [symbol, sigma] of Object.entries(state))
        if (typeof sigma === 'number' && sigma > 0 && Number.isFinite(sigma)) saved.set(symbol, sigma);
    },
    onSave: () =>
      Object.fromEntries(context.symbols.map((symbol) => [symbol, sigmaOf(symbol, quoter.values)])),
    onStart() {
      volatility.start(quoter.values.volatilityHalfLife);
      volatility.readMinutes();
    },
    onTimer(timer) {
      volatility.onTimer(timer);
    },
  };
  return compose(estimate, quoter);
}

/** T - t. Sessions depend on the clock only, so that a bot that starts again finds the one it was in. */
function leftMs({ horizon, horizonKind }: StoikovParameters, nowMs: number): number {
  return horizonKind === 'constant' ? horizon : horizon - (nowMs % horizon);
}

/** Sizes in lots, and the model's constants as numbers. */
function termsOf(values: StoikovParameters) {
  const sizesIn = lotSizesOf(values);
  const [gamma, kappa] = [values.riskAversion.toNumber(), values.liquidity.toNumber()];
  return perMarket((view) => ({ ...sizesIn(view), gamma, kappa }));
}
