/**
 * @module
 * From prices with fractions to orders a market takes: rounded away from the mid, clear of the orders of others and of
 * the own other side, within the greatest inventory, not below the smallest notional. Pure.
 */
import { lots, notionalOf } from '../../../domain/index.ts';
import type { MarketView } from '../context.ts';
import type { TickLevel } from '../intents.ts';
import type { LotSizes } from './per-market.ts';
import type { QuoteTarget } from './quoter.ts';
import type { Touch } from './touch.ts';

/** The part of a view that is needed here. */
export type QuotedMarket = Pick<MarketView, 'market' | 'floorTicks' | 'ceilTicks'>;

/** One side of what is wanted. */
export interface SidePlan {
  /** Wanted prices in ticks, with fractions, best first. */
  readonly prices: readonly number[];
  /** Size of each order, or of one after the other. */
  readonly sizeLots: number | readonly number[];
  /** What all orders of the side together may be: the way to the greatest inventory. */
  readonly maxLots: number;
}

/** What is wanted on both sides. */
export interface QuotePlan {
  readonly market: QuotedMarket;
  readonly touch: Touch;
  readonly bids: SidePlan;
  readonly asks: SidePlan;
  /** An order this many ticks from where it should be stays. */
  readonly requoteTicks?: number;
}

/** The reason given where nothing can be quoted for its size. */
export const BELOW_MIN_NOTIONAL = 'the size is below the smallest notional of the market';

/** The orders for a target. None meets an order of others, or one of the own other side, tolerance included. */
export function quotesOf(plan: QuotePlan): QuoteTarget {
  const { market, touch, requoteTicks = 0 } = plan;
  const { tickStep } = market.market;
  const bids = sideOf(market, plan.bids, (price, before) =>
    market.floorTicks(Math.min(price, (before ?? touch.askTicks) - tickStep)),
  );
  const top = bids[0]?.priceTicks ?? 0;
  const asks = sideOf(market, plan.asks, (price, before) =>
    market.ceilTicks(Math.max(price, (before ?? Math.max(touch.bidTicks, top)) + tickStep)),
  );
  return { bids, asks, options: { priceToleranceTicks: quoteTolerance(bids, asks, requoteTicks) } };
}

/** Both sides with one size for all their orders, each as far as the greatest inventory leaves capacity. */
export function sidesWithin(
  { sizeLots, maxLots }: LotSizes,
  inventoryLots: number,
  prices: { readonly bids: readonly number[]; readonly asks: readonly number[] },
): Pick<QuotePlan, 'bids' | 'asks'> {
  return {
    bids: { prices: prices.bids, sizeLots, maxLots: maxLots - inventoryLots },
    asks: { prices: prices.asks, sizeLots, maxLots: maxLots + inventoryLots },
  };
}

/** True if there is no order in `wanted`. */
export function hasNoQuotes({ bids, asks }: QuoteTarget): boolean {
  return bids.length + asks.length === 0;
}

function sideOf(
  { market }: QuotedMarket,
  { prices, sizeLots, maxLots }: SidePlan,
  place: (price: number, before: number | undefined) => TickLevel['priceTicks'],
): TickLevel[] {
  const side: TickLevel[] = [];
  let remainingLots = maxLots;
  for (const [at, price] of prices.entries()) {
    const wantedLots = typeof sizeLots === 'number' ? sizeLots : (sizeLots[at] ?? 0);
    const size = Math.min(wantedLots, Math.floor(remainingLots / market.lotStep) * market.lotStep);
    const before = side.at(-1)?.priceTicks;
    // A bid below the first tick does not exist; the next one of the side would be the same.
    if (size <= 0 || price < market.tickStep || before === market.tickStep) break;
    const level = { priceTicks: place(price, before), sizeLots: lots(size) };
    if (notionalOf(market, level.priceTicks, level.sizeLots) < market.minNotional) break;
    side.push(level);
    remainingLots -= size;
  }
  return side;
}

/** `requoteTicks`, but never so much that an order which stays could meet a new one of the other side. */
export function quoteTolerance(
  [bid]: readonly TickLevel[],
  [ask]: readonly TickLevel[],
  requoteTicks: number,
): number {
  if (bid === undefined || ask === undefined) return requoteTicks;
  return Math.max(0, Math.min(requoteTicks, Math.floor((ask.priceTicks - bid.priceTicks - 1) / 2)));
}

/** `ppm` parts of a million of `value`. */
export function ppmOf(value: number, ppm: number): number {
  return (value * ppm) / 1_000_000;
}

/** `value`, held between `min` and `max`. */
export function clamp(value: number, min: number, max: number): number {
  return Math.max(min, Math.min(max, value));
}
