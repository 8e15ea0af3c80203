/** @module An order that rests at the best price of its side and follows it, until it is filled or its patience is over. */
import { oppositeOf, type Ticks } from '../../../domain/index.ts';
import type { StrategyContext } from '../context.ts';
import { ParentOrder, type ParentOrderOptions } from './parent-order.ts';
import { bestOf, keptPriceOf, limitedPriceOf } from './scheduled.ts';

/** How it follows. */
export interface ChaserOptions extends ParentOrderOptions {
  /** The most that is shown at once. Default: all. */
  readonly sliceLots?: number;
  /** It stays where it is while the best price is no farther away than this. Default 0. */
  readonly toleranceTicks?: number;
  /** It follows no further. */
  readonly limitTicks?: Ticks;
  /** After this time the remaining lots are taken. Default: never. */
  readonly takeAfterMs?: number;
}

/**
 * Follows the best price of others with a post-only order.
 * @example chaser(context, { symbol, side: 'buy', totalLots: 100, toleranceTicks: 2, takeAfterMs: 30_000 })
 */
export function chaser(context: StrategyContext, options: ChaserOptions): ParentOrder {
  const { side, totalLots, sliceLots = totalLots, toleranceTicks = 0, takeAfterMs } = options;
  const limit = { side, limitTicks: options.limitTicks };
  return new ParentOrder(context, { name: 'chaser', ...options }, (_view, touch, progress) => {
    const { nowMs, startedAtMs, remainingLots, restingTicks } = progress;
    if (takeAfterMs !== undefined && nowMs - startedAtMs >= takeAfterMs) {
      const priceTicks = limitedPriceOf(touch, oppositeOf(side), limit);
      if (priceTicks !== bestOf(touch, oppositeOf(side))) return 'nothing';
      return { priceTicks, openLots: remainingLots, timeInForce: 'ioc' };
    }
    return {
      priceTicks: keptPriceOf(limitedPriceOf(touch, side, limit), restingTicks, toleranceTicks),
      openLots: Math.min(sliceLots, remainingLots),
      timeInForce: 'postOnly',
      refills: false,
    };
  });
}
