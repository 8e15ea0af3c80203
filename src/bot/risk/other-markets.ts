/**
 * @module
 * What is held and open in all markets but that of the order under review: for a single market there is nothing to add
 * up. What this does not do: knowing which markets these are.
 */
import { minus, plus, times, type Whole } from '../../core/index.ts';
import { openOrdersOf, openTickLotsOf } from '../../domain/index.ts';
import type { MarketReview } from './market-review.ts';
import { Totals } from './totals.ts';

/** Sums over other markets. */
export class OtherMarkets {
  /** True if there are no others. */
  isEmpty = true;
  readonly totals = new Totals();
  /** Open orders of the strategy under review, without those the command cancels first, and their notional. */
  restingOrders = 0;
  restingNotional: Whole = 0;

  /** Starts again, with no market. */
  clear(): void {
    this.isEmpty = true;
    this.totals.clear();
    this.restingOrders = 0;
    this.restingNotional = 0;
  }

  /** Takes a market in. */
  add(market: MarketReview): void {
    this.isEmpty = false;
    const { part, all, canceled } = market;
    part.setMargins(market.market);
    this.totals.setSum(this.totals, part);
    this.restingOrders += openOrdersOf(all.ofStrategy) - openOrdersOf(canceled.ofStrategy);
    this.restingNotional = plus(this.restingNotional, restingNotionalOf(market));
  }
}

/** Notional of the strategy's orders in a market, without those the command cancels first. */
export function restingNotionalOf({ all, canceled, perTickLot }: MarketReview): Whole {
  return times(minus(openTickLotsOf(all.ofStrategy), openTickLotsOf(canceled.ofStrategy)), perTickLot);
}
