/**
 * @module
 * A grid with an inventory target: each step down buys one order, each step up sells one, around an anchor at which the
 * target is held. See the README beside this file. What this does not do: take, hedge, or move the grid by itself.
 */
import {
  type Decimal,
  defineStrategy,
  isEmpty,
  lotSizesOf,
  lots,
  type MarketSymbol,
  type MarketView,
  notionalOf,
  param,
  partOf,
  Quoter,
  quotesOf,
  type StrategyContext,
  type StrategyHandlers,
  TOO_SMALL,
  type Touch,
  type Wanted,
} from 'ballast/strategy';
import { gridSidesOf } from './grid.ts';

/** The parameters as they are used; their text forms are in the README. */
export interface GridParameters {
  /** Size of each order in units of the market. */
  readonly size: Decimal;
  readonly maxInventory: Decimal;
  /** Held at the anchor, signed, in units of the market. */
  readonly target: Decimal;
  /** Price of the anchor; empty: the mid at the first start. */
  readonly anchor: string;
  /** From order to order, ppm of the anchor. */
  readonly stepPpm: number;
  /** Orders on each side. */
  readonly levels: number;
  readonly requoteTicks: number;
  readonly requoteInterval: number;
}

const parameters = param
  .object({
    size: param.decimal({ above: '0' }),
    maxInventory: param.decimal({ above: '0' }),
    target: param.decimal().prefault('0'),
    anchor: param.text().prefault(''),
    stepPpm: param.integer({ min: 1, max: 100_000 }),
    levels: param.integer({ min: 1, max: 20 }).prefault(3),
    requoteTicks: param.integer({ min: 0, max: 1_000_000 }).prefault(0),
    requoteInterval: param.durationMs().prefault('250ms'),
  })
  .refine((values) => values.anchor === '' || /^(?:0|[1-9][0-9]*)(?:\.[0-9]+)?$/.test(values.anchor), {
    path: ['anchor'],
    error: 'a price, or nothing',
  })
  .refine((values) => values.target.abs().lte(values.maxInventory), {
    path: ['target'],
    error: 'at most maxInventory',
  })
  .refine((values) => values.requoteInterval >= 50, { path: ['requoteInterval'], error: 'at least 50ms' });

/** The strategy `inventory-grid`. */
export default defineStrategy({
  name: 'inventory-grid',
  summary: 'Buys one order each step down and sells one each step up, around an anchor with a target.',
  parameters,
  create,
});

function create(context: StrategyContext, initial: GridParameters): StrategyHandlers<GridParameters> {
  let values = initial;
  let sizesIn = lotSizesOf(values);
  /** Where the grid hangs, in ticks: kept over a restart, or every restart would hang it elsewhere. */
  const anchors = new Map<string, number>();

  function anchorOf(view: MarketView, touch: Touch): number {
    const known = values.anchor === '' ? anchors.get(view.symbol) : view.priceOf(values.anchor);
    const anchorTicks = known ?? view.floorTicks(touch.midTicks);
    anchors.set(view.symbol, anchorTicks);
    return anchorTicks;
  }

  function wantedOf(view: MarketView, touch: Touch): Wanted | string {
    const { sizeLots, maxLots } = sizesIn(view);
    const { inventoryLots } = view;
    const anchorTicks = anchorOf(view, touch);
    const baseLots = values.target.isZero()
      ? 0
      : view.sizeOf(values.target.abs()) * (values.target.isNegative() ? -1 : 1);
    const stepTicks = Math.max(partOf(anchorTicks, values.stepPpm), view.market.tickStep);
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
      bids: { prices: bids.prices, sizeLots: bids.sizes, roomLots: maxLots - inventoryLots },
      asks: { prices: asks.prices, sizeLots: asks.sizes, roomLots: maxLots + inventoryLots },
    });
    return isEmpty(wanted) ? TOO_SMALL : wanted;
  }

  const quoter = new Quoter(context, wantedOf);
  return {
    ...quoter.handlers,
    onLoad(saved) {
      if (typeof saved !== 'object' || saved === null) return;
      for (const [symbol, ticks] of Object.entries(saved))
        if (Number.isSafeInteger(ticks) && ticks > 0) anchors.set(symbol as MarketSymbol, ticks);
    },
    onSave: () => Object.fromEntries(anchors),
    onStart: () => quoter.start(values.requoteInterval),
    onParameters(next) {
      values = next;
      sizesIn = lotSizesOf(next);
      quoter.start(next.requoteInterval);
    },
  };
}
