/** @module Quotes that lead an inventory to a target without taking: one order on the side that is missing, at the touch. Pure. */
import { floorToLot } from '../../../domain/index.ts';
import { type QuotedMarket, quotesOf } from './levels.ts';
import type { QuoteTarget } from './quoter.ts';
import type { Touch } from './touch.ts';

/** Where an inventory is to go. */
export interface RebalancePlan {
  readonly market: QuotedMarket;
  readonly touch: Touch;
  /** Signed. */
  readonly inventoryLots: number;
  /** Signed. */
  readonly targetLots: number;
  /** The most that rests in the book at once. */
  readonly sizeLots: number;
  /** Move of the price from which quotes are replaced, ticks. */
  readonly requoteTicks?: number;
}

/** At most one order: none when the target is reached, or when what is missing is below the smallest notional. */
export function rebalanceQuotes(plan: RebalancePlan): QuoteTarget {
  const { market, touch, inventoryLots, targetLots, sizeLots, requoteTicks = 0 } = plan;
  const missingLots = targetLots - inventoryLots;
  const none = { prices: [], sizeLots: 0, maxLots: 0 };
  const maxLots = floorToLot(market.market, Math.abs(missingLots));
  const side = (priceTicks: number) => ({ prices: [priceTicks], sizeLots, maxLots });
  return quotesOf({
    market,
    touch,
    requoteTicks,
    bids: missingLots > 0 ? side(touch.bidTicks) : none,
    asks: missingLots < 0 ? side(touch.askTicks) : none,
  });
}
