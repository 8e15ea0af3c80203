/**
 * @module A market maker whose quotes lean to where the book is thicker: one order a side around a fair price that
 * follows the imbalance of the best levels of others. See the README beside this file. What this does not do: take, or
 * hedge.
 */
import {
  BELOW_MIN_NOTIONAL,
  type Decimal,
  defineStrategy,
  Ewma,
  hasNoQuotes,
  imbalanceOf,
  lotSizesOf,
  type MakerParameters,
  type MarketSymbol,
  type MarketView,
  ParameterQuoter,
  param,
  type QuoteFunction,
  quotesOf,
  requoteParams,
  type StrategyContext,
  sidesWithin,
  sizeParams,
} from 'ballast/strategy';
import { pricesOf } from './prices.ts';

/** The parameters as they are used; their text forms are in the README. */
export interface ImbalanceParameters extends MakerParameters {
  /** Distance from the fair price, ppm of the mid. */
  readonly halfSpreadPpm: number;
  /** Levels of each side that are added up. */
  readonly depth: number;
  /** How far the fair price is from the mid when all size is on one side, ppm. */
  readonly imbalanceSkewPpm: number;
  /** Half-life of the mean of the imbalance, ms. */
  readonly imbalanceHalfLife: number;
  /** The side is left empty when this fraction of the size is against it, from 0 to 1. */
  readonly pullAbove: Decimal;
  /** How far both quotes move against a full inventory, ppm. */
  readonly inventorySkewPpm: number;
}

const parameters = param.object({
  ...sizeParams(),
  halfSpreadPpm: param.ppm(),
  depth: param.integer({ min: 1, max: 20 }).prefault(5),
  imbalanceSkewPpm: param.ppm().prefault(100),
  imbalanceHalfLife: param.durationMs({ above: '0s' }).prefault('1s'),
  pullAbove: param.decimal({ min: '0', max: '1' }).prefault('1'),
  inventorySkewPpm: param.ppm().prefault(0),
  ...requoteParams(),
});

/** The strategy `imbalance-skew`. */
export default defineStrategy({
  name: 'imbalance-skew',
  summary: 'Quotes around a fair price that leans to the thicker side of the book.',
  parameters,
  create(context, initial) {
    const means = new Map<MarketSymbol, Ewma>();
    return new ParameterQuoter(context, initial, (values) => quotesBy(context, means, values)).handlers;
  },
});

function quotesBy(
  context: StrategyContext,
  means: Map<MarketSymbol, Ewma>,
  values: ImbalanceParameters,
): QuoteFunction {
  const sizesIn = lotSizesOf(values);
  const limit = values.pullAbove.toNumber();

  /** The smoothed imbalance of others' orders; 0 until a book has come. */
  function imbalanceIn(view: MarketView): number {
    const mean = means.get(view.symbol) ?? new Ewma(values.imbalanceHalfLife);
    means.set(view.symbol, mean);
    const newest = view.book === undefined ? undefined : imbalanceOf(view.book, values.depth, view.orders);
    return newest === undefined ? (mean.value ?? 0) : mean.observe(newest, context.now());
  }

  return (view, touch) => {
    const sizes = sizesIn(view);
    const imbalance = imbalanceIn(view);
    const { inventoryLots } = view;
    const { bid, ask } = pricesOf({
      midTicks: touch.midTicks,
      imbalance,
      inventoryShare: inventoryLots / sizes.maxLots,
      halfSpreadPpm: values.halfSpreadPpm,
      imbalanceSkewPpm: values.imbalanceSkewPpm,
      inventorySkewPpm: values.inventorySkewPpm,
    });
    const prices = { bids: imbalance < -limit ? [] : [bid], asks: imbalance > limit ? [] : [ask] };
    const wanted = quotesOf({
      market: view,
      touch,
      requoteTicks: values.requoteTicks,
      ...sidesWithin(sizes, inventoryLots, prices),
    });
    if (!hasNoQuotes(wanted)) return wanted;
    return Math.abs(imbalance) > limit
      ? 'the book leans against the only side there is room for'
      : BELOW_MIN_NOTIONAL;
  };
}
