/**
 * @module A market maker that steps aside when the price runs: one order a side around the mid, the side against a move
 * empty until the move is over. See the README beside this file. What this does not do: take, hedge, or ride the move.
 */
import {
  BELOW_MIN_NOTIONAL,
  clamp,
  defineStrategy,
  hasNoQuotes,
  lotSizesOf,
  type MakerParameters,
  type MarketSymbol,
  ParameterQuoter,
  param,
  ppmOf,
  type QuoteFunction,
  quotesOf,
  requoteParams,
  type StrategyContext,
  sidesWithin,
  sizeParams,
} from 'ballast/strategy';
import { MomentumGuard } from './guard.ts';

/** The parameters as they are used; their text forms are in the README. */
export interface MomentumParameters extends MakerParameters {
  /** Distance from the center, ppm of the mid. */
  readonly halfSpreadPpm: number;
  /** How far the center moves against a full inventory, ppm. */
  readonly skewPpm: number;
  /** Half-lives of the two means, ms. */
  readonly fastHalfLife: number;
  /** Half-life of the slow average, ms. */
  readonly slowHalfLife: number;
  /** Beyond this difference of the two means a side is closed, ppm. */
  readonly guardPpm: number;
  /** How long a side stays closed after the momentum was last beyond the guard, ms. */
  readonly calm: number;
}

const parameters = param
  .object({
    ...sizeParams(),
    halfSpreadPpm: param.ppm(),
    skewPpm: param.ppm().prefault(0),
    fastHalfLife: param.durationMs({ above: '0s' }).prefault('2s'),
    slowHalfLife: param.durationMs().prefault('30s'),
    guardPpm: param.ppm().prefault(200),
    calm: param.durationMs().prefault('5s'),
    ...requoteParams(),
  })
  .refine((values) => values.slowHalfLife > values.fastHalfLife, {
    path: ['slowHalfLife'],
    error: 'above fastHalfLife',
  });

/** The strategy `momentum-guard`. */
export default defineStrategy({
  name: 'momentum-guard',
  summary: 'Quotes both sides, and pulls the side against a fast price move.',
  parameters,
  create(context, initial) {
    const guards = new Map<MarketSymbol, MomentumGuard>();
    return new ParameterQuoter(context, initial, (values) => quotesBy(context, guards, values)).handlers;
  },
});

function quotesBy(
  context: StrategyContext,
  guards: Map<MarketSymbol, MomentumGuard>,
  values: MomentumParameters,
): QuoteFunction {
  const sizesIn = lotSizesOf(values);

  function guardOf(symbol: MarketSymbol): MomentumGuard {
    const { fastHalfLife: fastMs, slowHalfLife: slowMs } = values;
    const guard = guards.get(symbol) ?? new MomentumGuard({ fastMs, slowMs });
    guards.set(symbol, guard);
    return guard;
  }

  return (view, touch) => {
    const { midTicks } = touch;
    const { inventoryLots } = view;
    const sizes = sizesIn(view);
    const guard = guardOf(view.symbol);
    const nowMs = context.now();
    guard.observe(midTicks, nowMs, { guardPpm: values.guardPpm, calmMs: values.calm });
    const share = clamp(inventoryLots / sizes.maxLots, -1, 1);
    const center = midTicks - ppmOf(midTicks, values.skewPpm) * share;
    const half = ppmOf(midTicks, values.halfSpreadPpm);
    const [isBuying, isSelling] = [guard.isOpen('buy', nowMs), guard.isOpen('sell', nowMs)];
    const prices = { bids: isBuying ? [center - half] : [], asks: isSelling ? [center + half] : [] };
    const wanted = quotesOf({
      market: view,
      touch,
      requoteTicks: values.requoteTicks,
      ...sidesWithin(sizes, inventoryLots, prices),
    });
    if (!hasNoQuotes(wanted)) return wanted;
    return isBuying && isSelling ? BELOW_MIN_NOTIONAL : 'the price runs';
  };
}
