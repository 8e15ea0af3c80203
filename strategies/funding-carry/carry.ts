/**
 * @module
 * Which way round a pair of markets is held for the difference of their funding rates, and how far each leg may go ahead
 * of the other. Pure. What this does not do: orders.
 */
import { clamp, type Lots, type Market, notionalOf, type Ticks, ticks } from 'ballast/strategy';

/** 1: short in the first market and long in the second, -1: the other way round, 0: neither. */
export type Stance = 1 | 0 | -1;

/** When a pair is begun and ended, ppm an hour. */
export interface CarryRules {
  /** Begun from this difference of the rates on. */
  readonly enterPpm: number;
  /** Ended when the difference that is earned is below this. */
  readonly leavePpm: number;
}

/** The stance for a difference of rates, first less second, ppm an hour: who is short where more is paid earns it. */
export function stanceOf(before: Stance, differencePpm: number, { enterPpm, leavePpm }: CarryRules): Stance {
  if (before !== 0) return before * differencePpm < leavePpm ? 0 : before;
  if (differencePpm >= enterPpm) return 1;
  return -differencePpm >= enterPpm ? -1 : 0;
}

/** One leg: what is held of it, and the whole of it with the sign it has at stance 1. */
export interface Leg {
  /** Position in lots; below 0: short. */
  readonly inventoryLots: number;
  /** Size of one order, in lots. */
  readonly unitLots: number;
  /** How far it may go ahead of the other leg. */
  readonly sliceLots: number;
}

/** Where a leg is to go now, lots: all the way to the stance, but at most a slice ahead of the other leg. */
export function legTargetOf(stance: Stance, leg: Leg, other: Leg): number {
  const share = other.inventoryLots / other.unitLots;
  const slice = leg.sliceLots / Math.abs(leg.unitLots);
  return clamp(stance, share - slice, share + slice) * leg.unitLots;
}

/** The size in `market` at `midTicks` that is worth as much as a size in another market, rounded down to a lot. */
export function equalLotsOf(
  other: { readonly market: Market; readonly midTicks: number; readonly sizeLots: Lots },
  { market, midTicks }: { readonly market: Market; readonly midTicks: number },
): number {
  const worth = notionalOf(other.market, whole(other.midTicks), other.sizeLots);
  const perStep = notionalOf(market, whole(midTicks), market.lotStep);
  return Number(worth / perStep) * market.lotStep;
}

function whole(midTicks: number): Ticks {
  return ticks(Math.round(midTicks));
}
