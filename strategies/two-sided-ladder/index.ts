/**
 * @module
 * A market maker that keeps a ladder of post-only orders on both sides, at the touch or at a distance, and leans against
 * its inventory. See the README beside this file. What this does not do: predict, take, or hedge.
 */
import {
  type Decimal,
  defineStrategy,
  type MarketView,
  param,
  perMarket,
  Quoter,
  type StrategyContext,
  type StrategyHandlers,
  TOO_SMALL,
  type Touch,
  toleranceOf,
  type Wanted,
} from 'ballast/strategy';
import { type LadderShape, ladderOf } from './ladder.ts';

/** The parameters as they are used; their text forms are in the README. */
export interface LadderParameters extends Omit<LadderShape, 'sizeLots' | 'maxInventoryLots'> {
  /** Size of each order in units of the market. */
  readonly size: Decimal;
  /** Greatest inventory, long or short, in units of the market. */
  readonly maxInventory: Decimal;
  /** Weight of the index price in the reference price, from 0 to 1. */
  readonly indexWeight: Decimal;
  /** An order this many ticks from where it should be stays. */
  readonly requoteTicks: number;
  /** An order stays until less than this part of its size is left, from 0 to 1. */
  readonly topUpBelow: Decimal;
  /** Time between two quotes, ms; fills are answered at once. */
  readonly requoteInterval: number;
}

const ppm = () => param.integer({ min: 0, max: 100_000 });
const part = () => param.decimal({ min: '0', max: '1' });

const parameters = param
  .object({
    levels: param.integer({ min: 1, max: 20 }).prefault(1),
    size: param.decimal({ above: '0' }),
    maxInventory: param.decimal({ above: '0' }),
    touch: param.choice(['ignore', 'join', 'improve']).prefault('join'),
    halfSpreadPpm: ppm(),
    minHalfSpreadPpm: ppm().prefault(0),
    levelSpacingPpm: ppm().prefault(100),
    skewPpm: ppm().prefault(0),
    indexWeight: part().prefault('0'),
    requoteTicks: param.integer({ min: 0, max: 1_000_000 }).prefault(0),
    topUpBelow: part().prefault('0.5'),
    requoteInterval: param.durationMs().prefault('250ms'),
  })
  .refine((values) => values.minHalfSpreadPpm <= values.halfSpreadPpm, {
    path: ['minHalfSpreadPpm'],
    error: 'at most halfSpreadPpm',
  })
  .refine((values) => values.requoteInterval >= 50, {
    path: ['requoteInterval'],
    error: 'at least 50ms',
  });

/** The strategy `two-sided-ladder`. */
export default defineStrategy({
  name: 'two-sided-ladder',
  summary: 'Keeps a ladder of post-only orders on both sides, at the touch or at a distance.',
  parameters,
  create,
});

function create(context: StrategyContext, initial: LadderParameters): StrategyHandlers<LadderParameters> {
  let values = initial;
  let shapeIn = shapesOf(values);
  /** The part of an order that may be missing before it is made whole. */
  let missingPart = 1 - values.topUpBelow.toNumber();

  function wantedOf(view: MarketView, { bidTicks, askTicks, midTicks }: Touch): Wanted | string {
    const referenceTicks = referenceOf(midTicks, values.indexWeight, view);
    if (referenceTicks === undefined) return 'the index price is not known';
    const shape = shapeIn(view);
    const { inventoryLots } = view;
    const { bids, asks, isCut } = ladderOf({
      ...{ market: view, bidTicks, askTicks, referenceTicks, inventoryLots, shape },
    });
    if (bids.length + asks.length === 0) return TOO_SMALL;
    const options = {
      priceToleranceTicks: toleranceOf(bids, asks, values.requoteTicks),
      // What must not be larger is not tolerated to be larger.
      sizeToleranceLots: isCut ? 0 : Math.floor(shape.sizeLots * missingPart),
    };
    return { bids, asks, options };
  }

  const quoter = new Quoter(context, wantedOf);
  return {
    ...quoter.handlers,
    onStart: () => quoter.start(values.requoteInterval),
    onParameters(next) {
      values = next;
      shapeIn = shapesOf(next);
      missingPart = 1 - next.topUpBelow.toNumber();
      quoter.start(next.requoteInterval);
    },
  };
}

function shapesOf(values: LadderParameters): (view: MarketView) => LadderShape {
  return perMarket((view) => ({
    ...values,
    sizeLots: view.sizeOf(values.size),
    maxInventoryLots: view.sizeOf(values.maxInventory),
  }));
}

function referenceOf(mid: number, indexWeight: Decimal, view: MarketView): number | undefined {
  if (indexWeight.isZero()) return mid;
  const index = view.prices?.indexTicks;
  return index === undefined ? undefined : mid + (index - mid) * indexWeight.toNumber();
}
