/**
 * @module
 * A parent order whose size comes due slice by slice. What was not filled of one slice is part of the next; the slices
 * add up to the total, lot by lot. TWAP and Almgren-Chriss differ only in the slices.
 */
import { assert } from '../../../core/index.ts';
import { oppositeOf, type Side, type Ticks } from '../../../domain/index.ts';
import type { StrategyContext } from '../context.ts';
import type { Touch } from '../quoting/touch.ts';
import {
  type ChildTarget,
  ParentOrder,
  type ParentOrderOptions,
  type ParentOrderProgress,
} from './parent-order.ts';

/** How slices are traded. */
export interface ScheduleOptions extends ParentOrderOptions {
  /** From slice to slice; the first is due at once. */
  readonly intervalMs: number;
  /** `join`: rests at the best price of its side and follows it; `take`: takes at the other side. */
  readonly style: 'join' | 'take';
  /** No child is dearer, or cheaper when it sells. */
  readonly limitTicks?: Ticks;
  /** What rests stays while the best price is no farther away than this. Default 0. */
  readonly toleranceTicks?: number;
  /** What happens to the remaining lots after the interval of the last slice. Default `leave`. */
  readonly finish?: 'leave' | 'take';
}

/** What is due by the end of each slice, lots, rising to the total. */
export type FillSchedule = readonly number[];

/** Shares of a total as lots: cumulative shares from 0 to 1, each rounded down to a lot, the last one the total. */
export function fillScheduleOf(
  shares: readonly number[],
  { totalLots, lotStep }: { readonly totalLots: number; readonly lotStep: number },
): FillSchedule {
  let before = 0;
  return shares.map((share, at) => {
    const exact = at === shares.length - 1 ? totalLots : Math.floor((totalLots * share) / lotStep) * lotStep;
    before = Math.min(totalLots, Math.max(before, exact));
    return before;
  });
}

/** The order of a schedule. @throws AssertionError unless there are slices and their interval is above zero. */
export function scheduled(
  context: StrategyContext,
  options: ScheduleOptions,
  cumulativeLots: FillSchedule,
): ParentOrder {
  const { intervalMs, style, finish = 'leave', side, limitTicks, toleranceTicks = 0 } = options;
  assert(cumulativeLots.length > 0 && intervalMs > 0, 'slices and an interval above zero');
  return new ParentOrder(context, options, (_view, touch, progress) => {
    const at = Math.floor((progress.nowMs - progress.startedAtMs) / intervalMs);
    const isOver = at >= cumulativeLots.length;
    if (isOver && finish === 'leave') return { end: 'the last slice is over' };
    const dueLots = cumulativeLots[Math.min(Math.max(0, at), cumulativeLots.length - 1)] ?? 0;
    const isTaking = isOver || style === 'take';
    return childTargetOf(touch, { progress, dueLots, side, limitTicks, isTaking, toleranceTicks });
  });
}

/** What is due, and how it is traded. */
export interface Due {
  readonly progress: ParentOrderProgress;
  readonly dueLots: number;
  readonly side: Side;
  readonly limitTicks: Ticks | undefined;
  readonly isTaking: boolean;
  readonly toleranceTicks: number;
}

/** What should be out of what is due; nothing while the limit forbids it. */
export function childTargetOf(touch: Touch, due: Due): ChildTarget | 'nothing' {
  const openLots = due.dueLots - due.progress.filledLots;
  if (openLots <= 0) return 'nothing';
  const { isTaking, side, toleranceTicks, progress } = due;
  if (isTaking) {
    const priceTicks = limitedPriceOf(touch, oppositeOf(side), due);
    if (priceTicks !== bestOf(touch, oppositeOf(side))) return 'nothing';
    return { priceTicks, openLots, timeInForce: 'ioc' };
  }
  const wanted = limitedPriceOf(touch, side, due);
  const priceTicks = keptPriceOf(wanted, progress.restingTicks, toleranceTicks);
  return { priceTicks, openLots, timeInForce: 'postOnly' };
}

/** The price of what rests, where it is near enough to the wanted one. */
export function keptPriceOf(wanted: Ticks, resting: Ticks | undefined, toleranceTicks: number): Ticks {
  return resting !== undefined && Math.abs(resting - wanted) <= toleranceTicks ? resting : wanted;
}

/** The best price of a side of the book. */
export function bestOf(touch: Touch, side: Side): Ticks {
  return side === 'buy' ? touch.bidTicks : touch.askTicks;
}

/** The best price of a side of the book, but none that is worse than a limit for who is on `side`. */
export function limitedPriceOf(
  touch: Touch,
  bookSide: Side,
  { side, limitTicks }: { readonly side: Side; readonly limitTicks: Ticks | undefined },
): Ticks {
  const best = bestOf(touch, bookSide);
  if (limitTicks === undefined) return best;
  const isWorse = side === 'buy' ? best > limitTicks : best < limitTicks;
  return isWorse ? limitTicks : best;
}
