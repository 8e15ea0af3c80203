/**
 * @module
 * A market maker after Guéant, Lehalle and Fernandez-Tapia: a half-spread and a skew for each order held, from volatility
 * and from how often trades reach how deep, both estimated while it runs. See the README beside this file. What this does
 * not do: take, hedge, or know what moves the price.
 */
import {
  type Decimal,
  defineStrategy,
  type IntensityCurve,
  isEmpty,
  lotSizesOf,
  type MarketSymbol,
  type MarketView,
  param,
  partOf,
  Quoter,
  quotesOf,
  type StrategyContext,
  type StrategyHandlers,
  type TimerEvent,
  TOO_SMALL,
  type Touch,
  type Trade,
  Volatility,
  type Wanted,
  within,
} from 'ballast/strategy';
import { Calibration } from './calibration.ts';
import { glftTermsOf } from './quotes.ts';

/** The parameters as they are used; their text forms are in the README. Prices in ppm of the mid, inventory in orders. */
export interface GlftParameters {
  readonly size: Decimal;
  readonly maxInventory: Decimal;
  /** γ, per ppm and order. */
  readonly riskAversion: Decimal;
  /** A until it is known, per second. */
  readonly startIntensity: Decimal;
  /** k until it is known, per ppm. */
  readonly startDecay: Decimal;
  readonly calibrates: boolean;
  readonly calibrationDepthPpm: number;
  readonly calibrationLevels: number;
  readonly calibrationHalfLife: number;
  readonly startVolatilityPpm: number;
  readonly volatilityHalfLife: number;
  readonly minHalfSpreadPpm: number;
  readonly maxHalfSpreadPpm: number;
  readonly maxSkewPpm: number;
  readonly requoteTicks: number;
  readonly requoteInterval: number;
}

const ppm = () => param.integer({ min: 0, max: 100_000 });
const rate = () => param.decimal({ above: '0', max: '1000000' });

const parameters = param
  .object({
    size: param.decimal({ above: '0' }),
    maxInventory: param.decimal({ above: '0' }),
    riskAversion: param.decimal({ above: '0', max: '1000' }),
    startIntensity: rate().prefault('1'),
    startDecay: rate().prefault('0.005'),
    calibrates: param.flag().prefault(true),
    calibrationDepthPpm: param.integer({ min: 1, max: 100_000 }).prefault(500),
    calibrationLevels: param.integer({ min: 2, max: 50 }).prefault(11),
    calibrationHalfLife: param.durationMs().prefault('5m'),
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
  .refine((values) => values.volatilityHalfLife > 0, { path: ['volatilityHalfLife'], error: 'above 0s' })
  .refine((values) => values.calibrationHalfLife > 0, { path: ['calibrationHalfLife'], error: 'above 0s' });

/** The strategy `glft`. */
export default defineStrategy({
  name: 'glft',
  summary:
    'Quotes by the closed form of Guéant, Lehalle and Fernandez-Tapia, with A and k estimated on-line.',
  parameters,
  create: (context, values) => new Glft(context, values),
});

/** What is estimated in one market. */
interface Estimates {
  readonly volatility: Volatility;
  readonly calibration: Calibration;
}

/** What is kept over a restart, by market. */
interface Kept {
  readonly sigma: number;
  readonly curve: IntensityCurve;
}

/** From so many changes on the estimate of σ is believed. */
const CHANGES_MIN = 30;
const SAMPLE_MS = 1_000;

class Glft implements StrategyHandlers<GlftParameters> {
  readonly #context: StrategyContext;
  #parameters: GlftParameters;
  #sizesIn: ReturnType<typeof lotSizesOf>;
  readonly #quoter: Quoter;
  readonly #estimates = new Map<MarketSymbol, Estimates>();
  /** Of an earlier run. */
  readonly #saved = new Map<string, Kept>();
  readonly onBook: Quoter['handlers']['onBook'];
  readonly onBbo: Quoter['handlers']['onBbo'];
  readonly onFill: Quoter['handlers']['onFill'];
  readonly onDegraded: Quoter['handlers']['onDegraded'];
  readonly onResumed: Quoter['handlers']['onResumed'];

  constructor(context: StrategyContext, values: GlftParameters) {
    this.#context = context;
    this.#parameters = values;
    this.#sizesIn = lotSizesOf(values);
    this.#quoter = new Quoter(context, (view, touch) => this.#wanted(view, touch));
    const { onBook, onBbo, onFill, onDegraded, onResumed } = this.#quoter.handlers;
    this.onBook = onBook;
    this.onBbo = onBbo;
    this.onFill = onFill;
    this.onDegraded = onDegraded;
    this.onResumed = onResumed;
  }

  onLoad(saved: unknown): void {
    if (typeof saved !== 'object' || saved === null) return;
    for (const [symbol, kept] of Object.entries(saved)) if (isKept(kept)) this.#saved.set(symbol, kept);
  }

  onSave(): Readonly<Record<string, Kept>> {
    return Object.fromEntries(
      this.#context.symbols.map((symbol) => [
        symbol,
        { sigma: this.#sigmaOf(symbol), curve: this.#curveOf(symbol) },
      ]),
    );
  }

  onStart(): void {
    const { volatilityHalfLife, calibrationHalfLife, calibrationLevels, calibrationDepthPpm } =
      this.#parameters;
    for (const symbol of this.#context.symbols)
      this.#estimates.set(symbol, {
        volatility: new Volatility(volatilityHalfLife),
        calibration: new Calibration({
          levels: calibrationLevels,
          depthPpm: calibrationDepthPpm,
          halfLifeMs: calibrationHalfLife,
        }),
      });
    this.#context.startInterval('sample', SAMPLE_MS);
    this.#quoter.start(this.#parameters.requoteInterval);
  }

  onParameters(values: GlftParameters): void {
    this.#parameters = values;
    this.#sizesIn = lotSizesOf(values);
    this.#quoter.start(values.requoteInterval);
  }

  onTrade(view: MarketView, trade: Trade): void {
    const mid = view.foreignMidTicks;
    if (mid === undefined || !view.isFresh) return;
    const distance = trade.aggressor === 'buy' ? trade.priceTicks - mid : mid - trade.priceTicks;
    const depthPpm = (distance / mid) * 1_000_000;
    this.#estimates.get(view.symbol)?.calibration.observe(trade.aggressor, depthPpm, this.#context.now());
  }

  onTimer(timer: TimerEvent): void {
    this.#quoter.handlers.onTimer(timer);
    if (timer.name !== 'sample') return;
    for (const symbol of this.#context.symbols) this.#sample(this.#context.market(symbol));
  }

  /** The middle of others' orders at even times, and the curve through what was seen of trades. */
  #sample(view: MarketView): void {
    const mid = view.foreignMidTicks;
    const estimates = this.#estimates.get(view.symbol);
    if (estimates === undefined || mid === undefined || !view.isFresh) return;
    estimates.volatility.observe(Math.log(mid) * 1_000_000, this.#context.now());
    estimates.calibration.fit(this.#context.now());
  }

  #sigmaOf(symbol: MarketSymbol): number {
    const volatility = this.#estimates.get(symbol)?.volatility;
    const isKnown = volatility !== undefined && volatility.count >= CHANGES_MIN;
    return (
      (isKnown ? volatility.perSqrtSecond : undefined) ??
      this.#saved.get(symbol)?.sigma ??
      this.#parameters.startVolatilityPpm
    );
  }

  #curveOf(symbol: MarketSymbol): IntensityCurve {
    const { calibrates, startIntensity, startDecay } = this.#parameters;
    const start = { intensity: startIntensity.toNumber(), decay: startDecay.toNumber() };
    if (!calibrates) return start;
    return this.#estimates.get(symbol)?.calibration.curve ?? this.#saved.get(symbol)?.curve ?? start;
  }

  #wanted(view: MarketView, touch: Touch): Wanted | string {
    const { riskAversion, requoteTicks, ...bounds } = this.#parameters;
    const { sizeLots, maxLots } = this.#sizesIn(view);
    const curve = this.#curveOf(view.symbol);
    const terms = glftTermsOf({
      sigma: this.#sigmaOf(view.symbol),
      gamma: riskAversion.toNumber(),
      intensity: curve.intensity,
      decay: curve.decay,
    });
    const { midTicks } = touch;
    const skewPpm = (view.inventoryLots / sizeLots) * terms.skew;
    const centre = midTicks - partOf(midTicks, within(skewPpm, -bounds.maxSkewPpm, bounds.maxSkewPpm));
    const halfPpm = within(terms.halfSpread, bounds.minHalfSpreadPpm, bounds.maxHalfSpreadPpm);
    const half = Math.max(partOf(midTicks, halfPpm), view.market.tickStep / 2);
    const wanted = quotesOf({
      market: view,
      touch,
      requoteTicks,
      bids: { prices: [centre - half], sizeLots, roomLots: maxLots - view.inventoryLots },
      asks: { prices: [centre + half], sizeLots, roomLots: maxLots + view.inventoryLots },
    });
    return isEmpty(wanted) ? TOO_SMALL : wanted;
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
