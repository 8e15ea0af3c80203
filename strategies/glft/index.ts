/**
 * @module
 * A market maker after Guéant, Lehalle and Fernandez-Tapia: a half-spread and a skew for each order held, from volatility
 * and from how often trades reach how deep, both estimated while it runs. See the README beside this file. What this does
 * not do: take, hedge, or know what moves the price.
 */
import {
  compose,
  type Decimal,
  defineStrategy,
  HALF_SPREADS_IN_ORDER,
  type IntensityCurve,
  lotSizesOf,
  type MarketSymbol,
  type MarketView,
  MidVolatility,
  type ModelParameters,
  modelParams,
  modelQuotes,
  ParameterQuoter,
  param,
  type QuoteFunction,
  requoteParams,
  type StrategyContext,
  type StrategyHandlers,
  sizeParams,
  type TimerEvent,
  type Trade,
} from 'ballast/strategy';
import { Calibration } from './calibration.ts';
import { glftTermsOf } from './quotes.ts';

/** The parameters as they are used; their text forms are in the README. Prices in ppm of the mid, inventory in orders. */
export interface GlftParameters extends ModelParameters {
  /** γ, per ppm and order. */
  readonly riskAversion: Decimal;
  /** A until it is known, per second. */
  readonly startIntensity: Decimal;
  /** k until it is known, per ppm. */
  readonly startDecay: Decimal;
  /** True if the parameters are estimated while it runs. */
  readonly calibrates: boolean;
  /** Largest distance from the mid that is measured, in parts per million. */
  readonly calibrationDepthPpm: number;
  /** Number of measured distances. */
  readonly calibrationLevels: number;
  /** Half-life of the weights, ms. */
  readonly calibrationHalfLife: number;
}

const rate = () => param.decimal({ above: '0', max: '1000000' });

const parameters = param
  .object({
    ...sizeParams(),
    riskAversion: param.decimal({ above: '0', max: '1000' }),
    startIntensity: rate().prefault('1'),
    startDecay: rate().prefault('0.005'),
    calibrates: param.flag().prefault(true),
    calibrationDepthPpm: param.ppm({ min: 1 }).prefault(500),
    calibrationLevels: param.integer({ min: 2, max: 50 }).prefault(11),
    calibrationHalfLife: param.durationMs({ above: '0s' }).prefault('5m'),
    ...modelParams(),
    ...requoteParams(),
  })
  .refine(...HALF_SPREADS_IN_ORDER);

/** The strategy `glft`. */
export default defineStrategy({
  name: 'glft',
  summary:
    'Quotes by the closed form of Guéant, Lehalle and Fernandez-Tapia, with A and k estimated on-line.',
  parameters,
  create(context, initial) {
    const glft = new Glft(context, initial);
    return compose(glft, glft.quoter);
  },
});

/** What is kept over a restart, by market. */
interface Kept {
  readonly sigma: number;
  readonly curve: IntensityCurve;
}

class Glft implements StrategyHandlers<GlftParameters> {
  readonly quoter: ParameterQuoter<GlftParameters>;
  readonly #context: StrategyContext;
  readonly #volatility: MidVolatility;
  readonly #calibrations = new Map<MarketSymbol, Calibration>();
  /** Of an earlier run. */
  readonly #saved = new Map<string, Kept>();

  constructor(context: StrategyContext, initial: GlftParameters) {
    this.#context = context;
    this.#volatility = new MidVolatility(context);
    this.quoter = new ParameterQuoter(context, initial, (values) => this.#quotesBy(values));
  }

  onLoad(saved: unknown): undefined {
    if (typeof saved !== 'object' || saved === null) return;
    for (const [symbol, kept] of Object.entries(saved)) if (isKept(kept)) this.#saved.set(symbol, kept);
  }

  onSave(): Readonly<Record<string, Kept>> {
    const { values } = this.quoter;
    const keptOf = (symbol: MarketSymbol): Kept => ({
      sigma: this.#sigmaOf(symbol, values),
      curve: this.#curveOf(symbol, values),
    });
    return Object.fromEntries(this.#context.symbols.map((symbol) => [symbol, keptOf(symbol)]));
  }

  onStart(): undefined {
    const { volatilityHalfLife, calibrationHalfLife, calibrationLevels, calibrationDepthPpm } =
      this.quoter.values;
    for (const symbol of this.#context.symbols)
      this.#calibrations.set(
        symbol,
        new Calibration({
          levels: calibrationLevels,
          depthPpm: calibrationDepthPpm,
          halfLifeMs: calibrationHalfLife,
        }),
      );
    this.#volatility.start(volatilityHalfLife);
  }

  onTrade(view: MarketView, trade: Trade): undefined {
    const mid = view.externalMidTicks;
    if (mid === undefined || !view.isFresh) return;
    const distance = trade.aggressor === 'buy' ? trade.priceTicks - mid : mid - trade.priceTicks;
    const depthPpm = (distance / mid) * 1_000_000;
    this.#calibrations.get(view.symbol)?.observe(trade.aggressor, depthPpm, this.#context.now());
  }

  /** With each sample of the mids goes a fit of the curve through what was seen of trades. */
  onTimer(timer: TimerEvent): undefined {
    for (const { symbol } of this.#volatility.onTimer(timer))
      this.#calibrations.get(symbol)?.fit(this.#context.now());
  }

  #sigmaOf(symbol: MarketSymbol, { startVolatilityPpm }: GlftParameters): number {
    return this.#volatility.perSqrtSecond(symbol) ?? this.#saved.get(symbol)?.sigma ?? startVolatilityPpm;
  }

  #curveOf(symbol: MarketSymbol, values: GlftParameters): IntensityCurve {
    const { calibrates, startIntensity, startDecay } = values;
    const start = { intensity: startIntensity.toNumber(), decay: startDecay.toNumber() };
    if (!calibrates) return start;
    return this.#calibrations.get(symbol)?.curve ?? this.#saved.get(symbol)?.curve ?? start;
  }

  #quotesBy(values: GlftParameters): QuoteFunction {
    const sizesIn = lotSizesOf(values);
    return (view, touch) => {
      const sizes = sizesIn(view);
      const curve = this.#curveOf(view.symbol, values);
      const terms = glftTermsOf({
        sigma: this.#sigmaOf(view.symbol, values),
        gamma: values.riskAversion.toNumber(),
        intensity: curve.intensity,
        decay: curve.decay,
      });
      return modelQuotes(view, touch, values, {
        skewPpm: -(view.inventoryLots / sizes.sizeLots) * terms.skew,
        halfSpreadPpm: terms.halfSpread,
        sizes,
      });
    };
  }
}

function isKept(value: unknown): value is Kept {
  if (typeof value !== 'object' || value === null || !('sigma' in value) || !('curve' in value)) return false;
  const { sigma, curve } = value;
  if (typeof curve !== 'object' || curve === null || !('intensity' in curve) || !('decay' in curve))
    return false;
  return [sigma, curve.intensity, curve.decay].every(
    (one) => typeof one === 'number' && Number.isFinite(one) && one > 0,
  );
}
