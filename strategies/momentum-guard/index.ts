/**
 * @module
 * A market maker that steps aside when the price runs: one order a side around the middle, the side in the way of a move
 * empty until the move is over. See the README beside this file. What this does not do: take, hedge, or ride the move.
 */
import {
  type Decimal,
  defineStrategy,
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
  TOO_SMALL,
  type Touch,
  type Wanted,
  within,
} from 'ballast/strategy';
import { MomentumGuard } from './guard.ts';

/** The parameters as they are used; their text forms are in the README. */
export interface MomentumParameters {
  readonly size: Decimal;
  readonly maxInventory: Decimal;
  /** Distance from the centre, ppm of the mid. */
  readonly halfSpreadPpm: number;
  /** How far the centre moves against a full inventory, ppm. */
  readonly skewPpm: number;
  /** Half-lives of the two means, ms. */
  readonly fastHalfLife: number;
  readonly slowHalfLife: number;
  /** Beyond this difference of the two means a side is closed, ppm. */
  readonly guardPpm: number;
  /** How long a side stays closed after the momentum was last beyond the guard, ms. */
  readonly calm: number;
  readonly requoteTicks: number;
  readonly requoteInterval: number;
}

const ppm = () => param.integer({ min: 0, max: 100_000 });

const parameters = param
  .object({
    size: param.decimal({ above: '0' }),
    maxInventory: param.decimal({ above: '0' }),
    halfSpreadPpm: ppm(),
    skewPpm: ppm().prefault(0),
    fastHalfLife: param.durationMs().prefault('2s'),
    slowHalfLife: param.durationMs().prefault('30s'),
    guardPpm: ppm().prefault(200),
    calm: param.durationMs().prefault('5s'),
    requoteTicks: param.integer({ min: 0, max: 1_000_000 }).prefault(0),
    requoteInterval: param.durationMs().prefault('250ms'),
  })
  .refine((values) => values.fastHalfLife > 0, { path: ['fastHalfLife'], error: 'above 0s' })
  .refine((values) => values.slowHalfLife > values.fastHalfLife, {
    path: ['slowHalfLife'],
    error: 'above fastHalfLife',
  })
  .refine((values) => values.requoteInterval >= 50, { path: ['requoteInterval'], error: 'at least 50ms' });

/** The strategy `momentum-guard`. */
export default defineStrategy({
  name: 'momentum-guard',
  summary: 'Quotes both sides, and none in the way of a price that runs.',
  parameters,
  create,
});

function create(context: StrategyContext, initial: MomentumParameters): StrategyHandlers<MomentumParameters> {
  let values = initial;
  let sizesIn = lotSizesOf(values);
  const guards = new Map<MarketSymbol, MomentumGuard>();

  function guardOf({ symbol }: MarketView): MomentumGuard {
    let guard = guards.get(symbol);
    if (guard === undefined) {
      guard = new MomentumGuard({ fastMs: values.fastHalfLife, slowMs: values.slowHalfLife });
      guards.set(symbol, guard);
    }
    return guard;
  }

  function wantedOf(view: MarketView, touch: Touch): Wanted | string {
    const { midTicks } = touch;
    const { sizeLots, maxLots } = sizesIn(view);
    const guard = guardOf(view);
    const nowMs = context.now();
    guard.observe(midTicks, nowMs, { guardPpm: values.guardPpm, calmMs: values.calm });
    const share = within(view.inventoryLots / maxLots, -1, 1);
    const centre = midTicks - partOf(midTicks, values.skewPpm) * share;
    const half = partOf(midTicks, values.halfSpreadPpm);
    const [isBuying, isSelling] = [guard.isOpen('buy', nowMs), guard.isOpen('sell', nowMs)];
    const wanted = quotesOf({
      market: view,
      touch,
      requoteTicks: values.requoteTicks,
      bids: { prices: isBuying ? [centre - half] : [], sizeLots, roomLots: maxLots - view.inventoryLots },
      asks: { prices: isSelling ? [centre + half] : [], sizeLots, roomLots: maxLots + view.inventoryLots },
    });
    if (!isEmpty(wanted)) return wanted;
    return isBuying && isSelling ? TOO_SMALL : 'the price runs';
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
