/**
 * @module
 * A market maker that keeps a ladder of post-only orders on both sides, at the touch or at a distance, and leans against
 * its inventory. See the README beside this file. What this does not do: predict, take, or hedge.
 */
import {
  BELOW_MIN_NOTIONAL,
  type Decimal,
  defineStrategy,
  type MakerParameters,
  type MarketView,
  ParameterQuoter,
  param,
  perMarket,
  type QuoteFunction,
  quoteTolerance,
  requoteParams,
  sizeParams,
} from 'ballast/strategy';
import { type LadderShape, ladderOf } from './ladder.ts';

/** The parameters as they are used; their text forms are in the README. */
export interface LadderParameters
  extends MakerParameters,
    Omit<LadderShape, 'sizeLots' | 'maxInventoryLots'> {
  /** Weight of the index price in the reference price, from 0 to 1. */
  readonly indexWeight: Decimal;
  /** An order stays until less than this fraction of its size remains, from 0 to 1. */
  readonly topUpBelow: Decimal;
}

const part = () => param.decimal({ min: '0', max: '1' });

const parameters = param
  .object({
    levels: param.integer({ min: 1, max: 20 }).prefault(1),
    ...sizeParams(),
    touch: param.choice(['ignore', 'join', 'improve']).prefault('join'),
    halfSpreadPpm: param.ppm(),
    minHalfSpreadPpm: param.ppm().prefault(0),
    levelSpacingPpm: param.ppm().prefault(100),
    skewPpm: param.ppm().prefault(0),
    indexWeight: part().prefault('0'),
    topUpBelow: part().prefault('0.5'),
    ...requoteParams(),
  })
  .refine((values) => values.minHalfSpreadPpm <= values.halfSpreadPpm, {
    path: ['minHalfSpreadPpm'],
    error: 'at most halfSpreadPpm',
  });

/** The strategy `two-sided-ladder`. */
export default defineStrategy({
  name: 'two-sided-ladder',
  summary: 'Keeps a ladder of post-only orders on both sides, at the touch or at a distance.',
  parameters,
  create: (context, initial) => new ParameterQuoter(context, initial, quotesBy).handlers,
});

function quotesBy(values: LadderParameters): QuoteFunction {
  const shapeIn = shapesOf(values);
  /** The fraction of an order that may be missing before it is made whole. */
  const missingPart = 1 - values.topUpBelow.toNumber();
  return (view, { bidTicks, askTicks, midTicks }) => {
    const referenceTicks = referenceOf(midTicks, values.indexWeight, view);
    if (referenceTicks === undefined) return 'the index price is not known';
    const shape = shapeIn(view);
    const { inventoryLots } = view;
    const { bids, asks, isCut } = ladderOf({
      ...{ market: view, bidTicks, askTicks, referenceTicks, inventoryLots, shape },
    });
    if (bids.length + asks.length === 0) return BELOW_MIN_NOTIONAL;
    const options = {
      priceToleranceTicks: quoteTolerance(bids, asks, values.requoteTicks),
      // What must not be larger is not tolerated to be larger.
      sizeToleranceLots: isCut ? 0 : Math.floor(shape.sizeLots * missingPart),
    };
    return { bids, asks, options };
  };
}

function shapesOf(values: LadderParameters): (view: MarketView) => LadderShape {
  return perMarket((view) => ({
    ...values,
    sizeLots: view.lotsOf(values.size),
    maxInventoryLots: view.lotsOf(values.maxInventory),
  }));
}

function referenceOf(mid: number, indexWeight: Decimal, view: MarketView): number | undefined {
  if (indexWeight.isZero()) return mid;
  const index = view.prices?.indexTicks;
  return index === undefined ? undefined : mid + (index - mid) * indexWeight.toNumber();
}
