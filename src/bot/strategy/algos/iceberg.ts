/** @module A large order at one price of which only a part is shown; the next part is shown when it is filled. */
import { assert } from '../../../core/index.ts';
import type { Ticks } from '../../../domain/index.ts';
import type { StrategyContext } from '../context.ts';
import { ParentOrder, type ParentOrderOptions } from './parent-order.ts';

/** What is shown of it, and where. */
export interface IcebergOptions extends ParentOrderOptions {
  readonly priceTicks: Ticks;
  /** Size of the visible child order, lots. */
  readonly displayLots: number;
  /** `gtc` may take when it is placed. Default `postOnly`. */
  readonly timeInForce?: 'postOnly' | 'gtc';
}

/**
 * Shows `displayLots` at `priceTicks` until all is filled. The last part is never too small for the market: what
 * would be left over after a part goes with it.
 * @example iceberg(context, { symbol, side: 'sell', totalLots: 1_000, displayLots: 50, priceTicks })
 */
export function iceberg(context: StrategyContext, options: IcebergOptions): ParentOrder {
  const { priceTicks, displayLots, timeInForce = 'postOnly' } = options;
  assert(displayLots > 0, `a part to be shown above zero, got ${displayLots} lots`);
  return new ParentOrder(context, { name: 'iceberg', ...options }, (view, _touch, { remainingLots }) => {
    const { minNotional, market } = view;
    const smallest = BigInt(priceTicks) * market.quantumsPerTickLot;
    const isLast = BigInt(Math.max(0, remainingLots - displayLots)) * smallest < minNotional;
    const openLots = isLast ? remainingLots : displayLots;
    return { priceTicks, openLots, timeInForce, refills: false };
  });
}
