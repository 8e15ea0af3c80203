/** @module The orders of a bracket, as far as they are known. */
import type { IntentId, OrderId, Side, Ticks } from '../../../domain/index.ts';
import type { MarketView } from '../context.ts';

/** One order of a bracket. */
export interface Track {
  readonly intentId: IntentId;
  /** As it is at the exchange, as far as that is known. */
  sizeLots: number;
  orderId: OrderId | undefined;
  /** `asked`: its outcome is not known; `waiting`: for its trigger; `working`: in the book. */
  state: 'asked' | 'waiting' | 'working' | 'ended';
  /** Executed, by its fills or by what is told of it: the two come in any order. */
  filledLots: number;
  toldLots: number;
  isCanceling: boolean;
}

/** Which way out. */
export type ExitKind = 'stop' | 'take profit';

/** One exit: the order that stands for it, and the one that is to take its place. */
export interface Exit {
  current: Track | undefined;
  next: Track | undefined;
}

/** All of {@link ExitKind}. */
export const EXITS: readonly ExitKind[] = ['stop', 'take profit'];
/** No exit stands. */
export function newExits(): Record<ExitKind, Exit> {
  return {
    stop: { current: undefined, next: undefined },
    'take profit': { current: undefined, next: undefined },
  };
}

/** What is known to be executed of it. */
export function executedLots({ filledLots, toldLots, sizeLots }: Track): number {
  return Math.min(sizeLots, Math.max(filledLots, toldLots));
}

/** True if it may still be executed. */
export function mayExecute(track: Track | undefined): boolean {
  return track !== undefined && track.state !== 'ended';
}

/**
 * What P3 counts from for an order of this side: the best order of the book, which may be one of ours, or the best of others
 * where that is nearer. A quote of ours that was just canceled is in the book until its next block.
 */
export function nearestOf(
  { bestBidTicks, bestAskTicks }: Pick<MarketView, 'bestBidTicks' | 'bestAskTicks'>,
  side: Side,
  best: Ticks,
): number {
  return side === 'sell' ? Math.max(best, bestBidTicks ?? best) : Math.min(best, bestAskTicks ?? best);
}

/** The price that far beyond `ticks`, at most, at which an order of this side takes: P3 denies one that is a part of a tick further. */
export function beyondTicks(
  view: MarketView,
  side: Side,
  { ticks, throughPpm }: { readonly ticks: number; readonly throughPpm: number },
): Ticks {
  const reach = (ticks * throughPpm) / 1_000_000;
  return side === 'sell' ? view.ceilTicks(ticks - reach) : view.floorTicks(ticks + reach);
}
