/**
 * @module
 * What a taker order would trade right now, without doing it: for all-or-nothing orders and for the margin check. It
 * follows the same maker rules as the real thing (own orders leave, reduce-only makers trade their position at most).
 */
import { product } from '../../../core/index.ts';
import type { Holding } from '../accounts/account.ts';
import type { OpenOrders } from '../orders/open-orders.ts';
import { BUY, SELL } from './order-book.ts';

/** What is asked. */
export interface Taking {
  /** Buy or sell. */
  readonly side: 'buy' | 'sell';
  /** Price in ticks. */
  readonly priceTicks: number;
  /** Size in lots. */
  readonly lots: number;
}

/** What would trade. */
export interface Preview {
  /** Size that would trade at once, in lots. */
  readonly lots: number;
  /** Sum of price x lots. */
  readonly tickLots: bigint;
}

/** Walks the other side of the book in priority. */
export function preview(orders: OpenOrders, taker: Holding, taking: Taking): Preview {
  const { market } = taker;
  const isBuy = taking.side === 'buy';
  // Positions of makers that have reduce-only orders, as they would be by then.
  const positions = new Map<Holding, number>();
  let left = taking.lots;
  let tickLots = 0n;
  market.book.forEachOrder(isBuy ? SELL : BUY, (slot, price, lots) => {
    if (isBuy ? price > taking.priceTicks : price < taking.priceTicks) return false;
    const maker = orders.inSlot(market, slot);
    const { holding } = maker;
    if (holding.account === taker.account) return true;
    let allowed = lots;
    const isTracked = holding.reduceOnlyOrders > 0;
    const position = isTracked ? (positions.get(holding) ?? holding.lots) : 0;
    if (maker.terms.reduceOnly) allowed = Math.min(lots, Math.max(0, isBuy ? position : -position));
    const traded = Math.min(allowed, left);
    if (isTracked) positions.set(holding, position + (isBuy ? -traded : traded));
    left -= traded;
    tickLots += product(price, traded);
    return left > 0;
  });
  return { lots: taking.lots - left, tickLots };
}
