/**
 * @module
 * Whose orders those were: kept so that fills of a previous run find their strategy again. Orders with fills are kept
 * as long as their fills are; of the others the last ones, because their fills may still come.
 */
import type { Fill, IntentId, OrderId, StrategyId } from '../../domain/index.ts';

/** An order that was accepted, and who asked for it. */
export interface OrderOwner {
  readonly orderId: OrderId;
  readonly strategyId: StrategyId;
  readonly intentId: IntentId;
}

/** Orders without a fill that are remembered. */
const UNFILLED_ORDERS_MAX = 20_000;

/** The owners of orders. */
export class OrderOwners {
  readonly #unfilled = new Map<OrderId, OrderOwner>();
  readonly #filled = new Map<OrderId, OrderOwner>();
  /** Fills that came before their order's owner was known. */
  readonly #waiting = new Set<OrderId>();

  /** Notes accepted orders. */
  add(orders: readonly OrderOwner[]): void {
    for (const order of orders) {
      if (this.#waiting.delete(order.orderId)) this.#filled.set(order.orderId, order);
      else this.#unfilled.set(order.orderId, order);
    }
    for (const orderId of this.#unfilled.keys()) {
      if (this.#unfilled.size <= UNFILLED_ORDERS_MAX) break;
      this.#unfilled.delete(orderId);
    }
  }

  /** Keeps the owners of what was filled. */
  filled(fills: readonly Pick<Fill, 'orderId'>[]): void {
    for (const { orderId } of fills) {
      const order = this.#unfilled.get(orderId);
      if (order !== undefined) {
        this.#filled.set(orderId, order);
        this.#unfilled.delete(orderId);
      } else if (!this.#filled.has(orderId)) this.#waiting.add(orderId);
    }
  }

  /** Forgets everything: order numbers of another ledger mean nothing. */
  clear(): void {
    this.#unfilled.clear();
    this.#filled.clear();
    this.#waiting.clear();
  }

  /** All that is known, filled ones first. */
  all(): readonly OrderOwner[] {
    return [...this.#filled.values(), ...this.#unfilled.values()];
  }
}
