/**
 * @module
 * A market maker whose middle leans to where the book is thicker: one order a side around a fair price that follows the
 * imbalance of the best levels of others. See the README beside this file. What this does not do: take, or hedge.
 */
import {
  type Decimal,
  defineStrategy,
  Ewma,
  imbalanceOf,
  isEmpty,
  lotSizesOf,
  type MarketSymbol,
  type MarketView,
  param,
  Quoter,
  quotesOf,
  type StrategyContext,
  type StrategyHandlers,
  TOO_SMALL,
  type Touch,
  type Wanted,
} from 'ballast/strategy';
import { pricesOf } from './prices.ts';

/** The parameters as they are used; their text forms are in the README. */
export interface ImbalanceParameters {
  readonly size: Decimal;
  readonly maxInventory: Decimal;
  /** Distance from the fair price, ppm of the mid. */
  readonly halfSpreadPpm: number;
  /** Levels of each side that are added up. */
  readonly depth: number;
  /** How far the fair price is from the mid when all size is on one side, ppm. */
  readonly imbalanceSkewPpm: number;
  /** Half-life of the mean of the imbalance, ms. */
  readonly imbalanceHalfLife: number;
  /** The side against which so much of the size stands is left empty, from 0 to 1. */
  readonly pullAbove: Decimal;
  /** How far both quotes move against a full inventory, ppm. */
  readonly inventorySkewPpm: number;
  readonly requoteTicks: number;
  readonly requoteInterval: number;
}

const ppm = () => param.integer({ min: 0, max: 100_000 });

const parameters = param
  .object({
    size: param.decimal({ above: '0' }),
    maxInventory: param.decimal({ above: '0' }),
    halfSpreadPpm: ppm(),
    depth: param.integer({ min: 1, max: 20 }).prefault(5),
    imbalanceSkewPpm: ppm().prefault(100),
    imbalanceHalfLife: param.durationMs().prefault('1s'),
    pullAbove: param.decimal({ min: '0', max: '1' }).prefault('1'),
    inventorySkewPpm: ppm().prefault(0),
    requoteTicks: param.integer({ min: 0, max: 1_000_000 }).prefault(0),
    requoteInterval: param.durationMs().prefault('250ms'),
  })
  .refine((values) => values.imbalanceHalfLife > 0, { path: ['imbalanceHalfLife'], error: 'above 0s' })
  .refine((values) => values.requoteInterval >= 50, { path: ['requoteInterval'], error: 'at least 50ms' });

/** The strategy `imbalance-skew`. */
export default defineStrategy({
  name: 'imbalance-skew',
  summary: 'Quotes around a fair price that leans to the thicker side of the book.',
  parameters,
  create,
});

function create(
  context: StrategyContext,
  initial: ImbalanceParameters,
): StrategyHandlers<ImbalanceParameters> {
  let values = initial;
  let sizesIn = lotSizesOf(values);
  const means = new Map<MarketSymbol, Ewma>();

  /** The smoothed imbalance of others' orders; 0 until a book has come. */
  function imbalanceIn(view: MarketView): number {
    let mean = means.get(view.symbol);
    if (mean === undefined) {
      mean = new Ewma(values.imbalanceHalfLife);
      means.set(view.symbol, mean);
    }
    const newest = view.book === undefined ? undefined : imbalanceOf(view.book, values.depth, view.orders);
    return newest === undefined ? (mean.value ?? 0) : mean.observe(newest, context.now());
  }

  function wantedOf(view: MarketView, touch: Touch): Wanted | string {
    const { sizeLots, maxLots } = sizesIn(view);
    const imbalance = imbalanceIn(view);
    const { bid, ask } = pricesOf({
      midTicks: touch.midTicks,
      imbalance,
      inventoryShare: view.inventoryLots / maxLots,
      halfSpreadPpm: values.halfSpreadPpm,
      imbalanceSkewPpm: values.imbalanceSkewPpm,
      inventorySkewPpm: values.inventorySkewPpm,
    });
    const limit = values.pullAbove.toNumber();
    const wanted = quotesOf({
      market: view,
      touch,
      requoteTicks: values.requoteTicks,
      bids: { prices: imbalance < -limit ? [] : [bid], sizeLots, roomLots: maxLots - view.inventoryLots },
      asks: { prices: imbalance > limit ? [] : [ask], sizeLots, roomLots: maxLots + view.inventoryLots },
    });
    if (!isEmpty(wanted)) return wanted;
    return Math.abs(imbalance) > limit ? 'the book leans against the only side there is room for' : TOO_SMALL;
  }

  const quoter = new Quoter(context, wantedOf);
  return {
    ...quoter.handlers,
    onStart: () => quoter.start(values.requoteInterval),
    onParameters(next) {
      values = next;
      sizesIn = lotSizesOf(next);
      quoter.start(next.requoteInterval);
    },
  };
}
