/**
 * @module
 * Averaging into a position: orders of the same size, one each interval, or one only where the price is better than the
 * average so far. It is a parent order whose children come due by time and by price.
 */
import { assert } from '../../../core/index.ts';
import type { Ticks } from '../../../domain/index.ts';
import type { StrategyContext } from '../context.ts';
import { ParentOrder, type ParentOrderOptions } from './parent-order.ts';
import { childTargetOf } from './scheduled.ts';

/** What is bought or sold, and when. */
export interface DcaOptions extends Omit<ParentOrderOptions, 'totalLots'> {
  /** Size of one order, lots. */
  readonly orderLots: number;
  /** Number of orders in all. */
  readonly orders: number;
  /** From order to order at least; the first is due at once. */
  readonly everyMs: number;
  /**
   * An order after the first is due only while the mid is this far on the better side of the average price of what is held,
   * ppm. Default: by time alone.
   */
  readonly stepPpm?: number;
  /** `join`: rests at the best price of its side and follows it; `take`: takes at the other side. Default `join`. */
  readonly style?: 'join' | 'take';
  /** No order is dearer, or cheaper when it sells. */
  readonly limitTicks?: Ticks;
  /** What rests stays while the best price is no farther away than this. Default 0. */
  readonly toleranceTicks?: number;
}

const PPM = 1_000_000;

/**
 * Averages in. To be made in `onStart`, when the market is known.
 * @example dca(context, { symbol, side: 'buy', orderLots: 10, orders: 20, everyMs: 3_600_000, stepPpm: 5_000 })
 * @throws AssertionError for a size, a number or an interval that is not above zero.
 */
export function dca(context: StrategyContext, options: DcaOptions): ParentOrder {
  const { orderLots, orders, everyMs, stepPpm, style = 'join', side, toleranceTicks = 0 } = options;
  assert(orderLots > 0 && orders > 0 && everyMs > 0, 'orders, their size and their interval above zero');
  const parent = { name: 'dca', ...options, totalLots: orderLots * orders };
  return new ParentOrder(context, parent, (view, touch, progress) => {
    const { nowMs, startedAtMs, filledLots } = progress;
    const byTime = Math.min(orders, Math.floor(Math.max(0, nowMs - startedAtMs) / everyMs) + 1);
    // By price one order at a time: each changes the average that the next one is compared with.
    const byPrice = Math.floor(filledLots / orderLots) + 1;
    const due = stepPpm === undefined ? byTime : Math.min(byTime, byPrice);
    const isNext = filledLots > 0 && filledLots % orderLots === 0;
    if (
      stepPpm !== undefined &&
      isNext &&
      !isBetter(touch.midTicks, view.averageEntryTicks, { side, stepPpm })
    )
      return 'nothing';
    return childTargetOf(touch, {
      ...{ progress, dueLots: due * orderLots, side, toleranceTicks },
      ...{ limitTicks: options.limitTicks, isTaking: style === 'take' },
    });
  });
}

function isBetter(
  midTicks: number,
  averageTicks: number | undefined,
  { side, stepPpm }: { readonly side: 'buy' | 'sell'; readonly stepPpm: number },
): boolean {
  if (averageTicks === undefined) return true;
  const gainPpm = (midTicks / averageTicks - 1) * PPM * (side === 'buy' ? -1 : 1);
  return gainPpm >= stepPpm;
}
