/**
 * @module A grid with an inventory target: each step down buys one order, each step up sells one, around an anchor at
 * which the target is held. See the README beside this file. What this does not do: take, hedge, or move the grid
 * automatically.
 */
import {
  compose,
  type Decimal,
  defineStrategy,
  Grid,
  lotSizesOf,
  type MakerParameters,
  ParameterQuoter,
  param,
  type QuoteFunction,
  requoteParams,
  sizeParams,
} from 'ballast/strategy';

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
    const grid = new Grid();
    return compose(new ParameterQuoter(context, initial, (values) => quotesBy(grid, values)), grid);
  },
});

function quotesBy(grid: Grid, values: GridParameters): QuoteFunction {
  const sizesIn = lotSizesOf(values);
  const { stepPpm, levels, requoteTicks, target, anchor } = values;
  return (view, touch) => {
    const { sizeLots, maxLots } = sizesIn(view);
    const baseLots = target.isZero() ? 0 : view.lotsOf(target.abs()) * (target.isNegative() ? -1 : 1);
    const anchorTicks = anchor === '' ? undefined : view.ticksOf(anchor);
    return grid.quotes(view, touch, {
      stepPpm,
      levels,
      requoteTicks,
      sizeLots,
      maxLots,
      baseLots,
      anchorTicks,
    });
  };
}
