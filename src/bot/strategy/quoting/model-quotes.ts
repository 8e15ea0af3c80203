/**
 * @module
 * What makers that quote by a model of volatility have in common: the parameters of its estimate and of the bounds that hold
 * whatever the model says, and the resulting order of each side.
 */
import type { MarketView } from '../context.ts';
import { param } from '../parameters.ts';
import { BELOW_MIN_NOTIONAL, clamp, hasNoQuotes, ppmOf, quotesOf, sidesWithin } from './levels.ts';
import type { MakerParameters } from './parameters.ts';
import type { LotSizes } from './per-market.ts';
import type { QuoteTarget } from './quoter.ts';
import type { Touch } from './touch.ts';

/** What such makers take. */
export interface ModelParameters extends MakerParameters {
  /** σ until enough has been seen, ppm per square root of a second. */
  readonly startVolatilityPpm: number;
  /** Half-life of the estimate of σ, ms. */
  readonly volatilityHalfLife: number;
  /** Bounds that hold whatever the model says, ppm of the mid. */
  readonly minHalfSpreadPpm: number;
  readonly maxHalfSpreadPpm: number;
  /** The center is at most this far from the mid, ppm of it. */
  readonly maxSkewPpm: number;
}

/** What a model says of one market, ppm of the mid. */
export interface ModelQuoteInput {
  /** How far the center of the quotes is above the mid. */
  readonly skewPpm: number;
  readonly halfSpreadPpm: number;
  readonly sizes: LotSizes;
}

/** The entries of {@link ModelParameters} in a `param.object`, less those that all makers take. */
export function modelParams() {
  return {
    startVolatilityPpm: param.ppm().prefault(100),
    volatilityHalfLife: param.durationMs({ above: '0s' }).prefault('5m'),
    minHalfSpreadPpm: param.ppm().prefault(0),
    maxHalfSpreadPpm: param.ppm().prefault(10_000),
    maxSkewPpm: param.ppm().prefault(10_000),
  };
}

/**
 * The bounds of the half-spread are in order: what to refine a `param.object` with {@link modelParams} by.
 * @example param.object({ ...sizeParams(), ...modelParams(), ...requoteParams() }).refine(...HALF_SPREADS_IN_ORDER)
 */
export const HALF_SPREADS_IN_ORDER: readonly [
  check: (values: Pick<ModelParameters, 'minHalfSpreadPpm' | 'maxHalfSpreadPpm'>) => boolean,
  problem: { path: string[]; error: string },
] = [
  (values) => values.minHalfSpreadPpm <= values.maxHalfSpreadPpm,
  { path: ['minHalfSpreadPpm'], error: 'at most maxHalfSpreadPpm' },
];

/** One order a side around the center of a model, within the bounds; why there is none where both are too small. */
export function modelQuotes(
  view: MarketView,
  touch: Touch,
  values: ModelParameters,
  { skewPpm, halfSpreadPpm, sizes }: ModelQuoteInput,
): QuoteTarget | string {
  const { midTicks } = touch;
  const center = midTicks + ppmOf(midTicks, clamp(skewPpm, -values.maxSkewPpm, values.maxSkewPpm));
  const halfPpm = clamp(halfSpreadPpm, values.minHalfSpreadPpm, values.maxHalfSpreadPpm);
  // Half a tick at the least: with no spread at all the two sides could meet.
  const half = Math.max(ppmOf(midTicks, halfPpm), view.market.tickStep / 2);
  const wanted = quotesOf({
    market: view,
    touch,
    requoteTicks: values.requoteTicks,
    ...sidesWithin(sizes, view.inventoryLots, { bids: [center - half], asks: [center + half] }),
  });
  return hasNoQuotes(wanted) ? BELOW_MIN_NOTIONAL : wanted;
}
