/**
 * @module
 * From the model's quotes to orders a market takes: bounds, ticks, the touch of others, the greatest inventory. Pure.
 * What this does not do: the model itself, or deciding whether to quote at all.
 */
import { type Lots, lots, type MarketView, notionalOf, type TickLevel, type Ticks } from 'ballast/strategy';
import type { ModelQuotes } from './quotes.ts';

/** Bounds that hold whatever the model says, ppm of the mid. */
export interface QuoteBounds {
  readonly minHalfSpreadPpm: number;
  readonly maxHalfSpreadPpm: number;
  /** The reservation price is at most this far from the mid. */
  readonly maxSkewPpm: number;
}

/** Sizes in one market. */
export interface QuoteSizes {
  readonly sizeLots: Lots;
  /** What is held, long or short, and a wanted order together are at most this. */
  readonly maxInventoryLots: Lots;
}

/** What a target is computed from. */
export interface TargetInput {
  readonly market: Pick<MarketView, 'market' | 'floorTicks' | 'ceilTicks'>;
  /** Best orders of others. */
  readonly bidTicks: number;
  readonly askTicks: number;
  readonly inventoryLots: number;
  /** The model's quotes around a mid of 0, in ppm of the mid. */
  readonly modelPpm: Pick<ModelQuotes, 'reservation' | 'spread'>;
  readonly bounds: QuoteBounds;
  readonly sizes: QuoteSizes;
}

/** At most one order per side. */
export interface Target {
  readonly bids: readonly TickLevel[];
  readonly asks: readonly TickLevel[];
}

/** The orders for `input`. None meets an order of others or its own other side. */
export function targetOf(input: TargetInput): Target {
  const { market, bidTicks, askTicks, inventoryLots, modelPpm, bounds, sizes } = input;
  const { tickStep } = market.market;
  const mid = (bidTicks + askTicks) / 2;
  const centre = mid + partOf(mid, within(modelPpm.reservation, -bounds.maxSkewPpm, bounds.maxSkewPpm));
  const halfPpm = within(modelPpm.spread / 2, bounds.minHalfSpreadPpm, bounds.maxHalfSpreadPpm);
  // Half a tick at the least: with no spread at all the two sides could meet.
  const half = Math.max(partOf(mid, halfPpm), tickStep / 2);
  const bid = market.floorTicks(Math.min(centre - half, askTicks - tickStep));
  const ask = market.ceilTicks(Math.max(centre + half, bidTicks + tickStep));
  return {
    bids: levelsOf(input, bid, sizes.maxInventoryLots - inventoryLots),
    asks: levelsOf(input, ask, sizes.maxInventoryLots + inventoryLots),
  };
}

/** One order of the wanted size, or of what may still be traded; none when that is below the smallest notional. */
function levelsOf(
  { market: { market }, sizes }: TargetInput,
  priceTicks: Ticks,
  roomLots: number,
): TickLevel[] {
  const size = Math.min(sizes.sizeLots, Math.floor(roomLots / market.lotStep) * market.lotStep);
  if (size <= 0) return [];
  const level = { priceTicks, sizeLots: lots(size) };
  return notionalOf(market, level.priceTicks, level.sizeLots) < market.minNotional ? [] : [level];
}

function partOf(value: number, ppm: number): number {
  return (value * ppm) / 1_000_000;
}

function within(value: number, min: number, max: number): number {
  return Math.max(min, Math.min(max, value));
}
