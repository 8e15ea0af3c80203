/** @module A client's TWAP: the same size in each of a number of intervals. The exchange knows nothing of it. */
import type { StrategyContext } from '../context.ts';
import type { ParentOrder } from './parent-order.ts';
import { fillScheduleOf, type ScheduleOptions, scheduled } from './scheduled.ts';

/** A schedule in even slices. */
export interface TwapOptions extends ScheduleOptions {
  /** Number of slices. */
  readonly slices: number;
}

/**
 * Trades `totalLots` in `slices` of equal size, to the lot. To be made in `onStart`, when the market is known.
 * @example twap(context, { symbol, side: 'buy', totalLots: 1_000, slices: 10, intervalMs: 60_000, style: 'join' })
 */
export function twap(context: StrategyContext, options: TwapOptions): ParentOrder {
  const { slices, totalLots, symbol } = options;
  const shares = Array.from({ length: slices }, (_, at) => (at + 1) / slices);
  const { lotStep } = context.market(symbol).market;
  return scheduled(context, { name: 'twap', ...options }, fillScheduleOf(shares, { totalLots, lotStep }));
}
