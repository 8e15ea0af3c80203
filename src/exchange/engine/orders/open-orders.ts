/**
 * @module
 * Every open order of the venue, found by number, by book slot, by account; and the one way into the book and out of
 * it, so that resting sizes and reservations of the holding always agree with the book.
 */
import { assert, must, product } from '../../../core/index.ts';
import type { AccountState } from '../accounts/account.ts';
import { BUY, SELL } from '../matching/order-book.ts';
import type { MarketState } from '../prices/market-state.ts';
import type { VenueOrder } from '../types.ts';
import { ExpiryQueue } from './expiry-queue.ts';
import type { OrderState } from './order-state.ts';

/** The open orders. */
export class OpenOrders {
  readonly #byId = new Map<number, OrderState>();
  /** By ordinal of the market, then by slot. Entries of free slots are stale. */
  readonly #bySlot: OrderState[][] = [];
  readonly #byAccount: Set<OrderState>[] = [];
  readonly #expiries = new ExpiryQueue();
  readonly #isIndexed: boolean;

  /** `isIndexed`: not where who places orders keeps them himself; then none is found by number or account. */
  constructor(isIndexed = true) {
    this.#isIndexed = isIndexed;
  }

  get(id: number): OrderState | undefined {
    assert(this.#isIndexed, 'orders that can be found by number');
    return this.#byId.get(id);
  }

  /** The order in a slot that is in use. */
  inSlot(market: MarketState, slot: number): OrderState {
    return must(this.#bySlot[market.ordinal]?.[slot], 'an order in the slot');
  }

  /** Open orders of an account, oldest first. */
  of(account: AccountState): ReadonlySet<OrderState> {
    assert(this.#isIndexed, 'orders that can be found by account');
    return this.#of(account);
  }

  /** Puts the remainder of an order into the book. `lossTicks`: see `margin`. */
  rest(order: OrderState, lossTicks: number): void {
    const { holding, terms } = order;
    const { market, account } = holding;
    order.lossTicks = lossTicks;
    order.slot = market.book.rest(
      order.id,
      terms.side === 'buy' ? BUY : SELL,
      terms.priceTicks,
      order.remainingLots,
    );
    if (this.#isIndexed) {
      this.#byId.set(order.id, order);
      this.#of(account).add(order);
    }
    let slots = this.#bySlot[market.ordinal];
    if (slots === undefined) {
      slots = [];
      this.#bySlot[market.ordinal] = slots;
    }
    slots[order.slot] = order;
    if (terms.goodTilMs !== 0) this.#expiries.push(order);
    if (terms.reduceOnly) holding.reduceOnlyOrders++;
    else reserve(order, order.remainingLots);
  }

  /** Puts an order that rests after all others of its price. */
  requeue(order: OrderState): void {
    const { market } = order.holding;
    market.book.cancel(order.slot, order.id);
    const side = order.terms.side === 'buy' ? BUY : SELL;
    order.slot = market.book.rest(order.id, side, order.terms.priceTicks, order.remainingLots);
    const slots = must(this.#bySlot[market.ordinal], 'slots of a market with orders');
    slots[order.slot] = order;
  }

  /** A resting order traded; the book has already forgotten these lots. */
  onTraded(order: OrderState, lots: number): void {
    if (!order.terms.reduceOnly) reserve(order, -lots);
    order.remainingLots -= lots;
    if (order.remainingLots === 0) this.#close(order, 'filled');
  }

  /** Ends an order that is still in the book. Gives the lots taken away. */
  remove(order: OrderState, status: VenueOrder['status']): number {
    const lots = order.holding.market.book.cancel(order.slot, order.id);
    assert(lots === order.remainingLots, 'the book to hold what remains of the order');
    this.onDropped(order, status);
    return lots;
  }

  /** Ends an order that the book has already dropped. */
  onDropped(order: OrderState, status: VenueOrder['status']): void {
    if (!order.terms.reduceOnly) reserve(order, -order.remainingLots);
    this.#close(order, status);
  }

  /** Takes the next order whose validity ended before `nowMs`; it is still in the book. */
  takeExpired(nowMs: number): OrderState | undefined {
    return this.#expiries.takeExpired(nowMs);
  }

  #of(account: AccountState): Set<OrderState> {
    let orders = this.#byAccount[account.number];
    if (orders === undefined) {
      orders = new Set();
      this.#byAccount[account.number] = orders;
    }
    return orders;
  }

  #close(order: OrderState, status: VenueOrder['status']): void {
    order.status = status;
    order.slot = -1;
    if (this.#isIndexed) {
      this.#byId.delete(order.id);
      this.#byAccount[order.holding.account.number]?.delete(order);
    }
    if (order.terms.goodTilMs !== 0) this.#expiries.onClosed();
    if (order.terms.reduceOnly) order.holding.reduceOnlyOrders--;
  }
}

/** Adds to what the holding has resting; negative: gives back. */
function reserve(order: OrderState, lots: number): void {
  const { holding, terms } = order;
  if (terms.side === 'buy') holding.buyLots += lots;
  else holding.sellLots += lots;
  if (order.lossTicks !== 0) {
    holding.account.openLoss += product(order.lossTicks, lots) * holding.market.market.quantumsPerTickLot;
  }
}
