/**
 * @module A grid with an inventory target: each step down buys one order, each step up sells one, around an anchor at
 * which the target is held. See the README beside this file. What this does not do: take, hedge, or move the grid
 * automatically.
 */
import {
  BELOW_MIN_NOTIONAL,
  type Decimal,
  defineStrategy,
  hasNoQuotes,
  lotSizesOf,
  lots,
  type MakerParameters,
  type MarketView,
  notionalOf,
  ParameterQuoter,
  param,
  ppmOf,
  type QuoteFunction,
  quotesOf,
  requoteParams,
  sizeParams,
  type Touch,
} from 'ballast/strategy';
import { gridSidesOf } from './grid.ts';

/** The parameters as they are used; their text forms are in the README. */
export interface GridParameters extends MakerParameters {
  /** Held at the anchor, signed, in units of the market. */
  readonly target: Decimal;
  /** Price of the anchor; empty: the mid at the first start. */
  readonly anchor: string;
  /** From order to order, ppm of the anchor. */
  readonly stepPpm: number;
  /** Orders on each side. */
  readonly levels: number;
}

const parameters = param
  .object({
    ...sizeParams(),
    target: param.decimal().prefault('0'),
    anchor: param.text().prefault(''),
    stepPpm: param.ppm({ min: 1 }),
    levels: param.integer({ min: 1, max: 20 }).prefault(3),
    ...requoteParams(),
  })
  .refine((values) => values.anchor === '' || /^(?:0|[1-9][0-9]*)(?:\.[0-9]+)?$/.test(values.anchor), {
    path: ['anchor'],
    error: 'a price, or nothing',
  })
  .refine((values) => values.target.abs().lte(values.maxInventory), {
    path: ['target'],
    error: 'at most maxInventory',
  });

/** The strategy `inventory-grid`. */
export default defineStrategy({
  name: 'inventory-grid',
  summary: 'Buys one order each step down and sells one each step up, around an anchor with a target.',
  parameters,
  create(context, initial) {
    /** Where the grid hangs, in ticks: kept over a restart, or every restart would hang it elsewhere. */
    const anchors = new Map<string, number>();
    return {
      ...new ParameterQuoter(context, initial, (values) => quotesBy(anchors, values)).handlers,
      onLoad(saved) {
        if (typeof saved !== 'object' || saved === null) return;
        for (const [symbol, ticks] of Object.entries(saved))
          if (Number.isSafeInteger(ticks) && ticks > 0) anchors.set(symbol, ticks);
      },
      onSave: () => Object.fromEntries(anchors),
    };
  },
});

function quotesBy(anchors: Map<string, number>, values: GridParameters): QuoteFunction {
  const sizesIn = lotSizesOf(values);

  function anchorOf(view: MarketView, touch: Touch): number {
    const known = values.anchor === '' ? anchors.get(view.symbol) : view.ticksOf(values.anchor);
    const anchorTicks = known ?? view.floorTicks(touch.midTicks);
    anchors.set(view.symbol, anchorTicks);
    return anchorTicks;
  }

  return (view, touch) => {
    const { sizeLots, maxLots } = sizesIn(view);
    const { inventoryLots } = view;
    const anchorTicks = anchorOf(view, touch);
    const baseLots = values.target.isZero()
      ? 0
      : view.lotsOf(values.target.abs()) * (values.target.isNegative() ? -1 : 1);
    const stepTicks = Math.max(ppmOf(anchorTicks, values.stepPpm), view.market.tickStep);
    const line = { anchorTicks, stepTicks, sizeLots, baseLots };
    const { bids, asks } = gridSidesOf({
      line,
      inventoryLots,
      levels: values.levels,
      isLargeEnough: (price, size) =>
        notionalOf(view.market, view.floorTicks(price), lots(size)) >= view.minNotional,
    });
    const wanted = quotesOf({
      market: view,
      touch,
      requoteTicks: values.requoteTicks,
      bids: { prices: bids.prices, sizeLots: bids.sizes, maxLots: maxLots - inventoryLots },
      asks: { prices: asks.prices, sizeLots: asks.sizes, maxLots: maxLots + inventoryLots },
    });
    return hasNoQuotes(wanted) ? BELOW_MIN_NOTIONAL : wanted;
  };
}
