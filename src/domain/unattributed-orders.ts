/** @module Orders that the exchange shows and no write has claimed yet: each waits while a write in flight could own it. */
import type { OwnedExposure } from './exposure.ts';
import type { MarketSymbol, OrderId, Seq } from './ids.ts';
import { openLotsOf, type WorkingOrder } from './order.ts';

/** An order that waits. */
export interface HeldOrder {
  readonly order: WorkingOrder;
  readonly seq: Seq;
  /** It was there before the account was synced: whichever owner it has, it is no anomaly. */
  readonly isOld: boolean;
}

const NONE: readonly HeldOrder[] = [];

/** All that wait. */
export class UnattributedOrders {
  readonly #byId = new Map<OrderId, HeldOrder>();
  readonly #onChange: (symbol: MarketSymbol) => void;

  constructor(onChange: (symbol: MarketSymbol) => void) {
    this.#onChange = onChange;
  }

  /** True if none waits. */
  get isEmpty(): boolean {
    return this.#byId.size === 0;
  }

  get(orderId: OrderId): HeldOrder | undefined {
    return this.#byId.size === 0 ? undefined : this.#byId.get(orderId);
  }

  set(held: HeldOrder): void {
    this.#byId.set(held.order.orderId, held);
    this.#onChange(held.order.symbol);
  }

  /** Takes one out, and gives it. */
  take(orderId: OrderId): HeldOrder | undefined {
    const held = this.get(orderId);
    if (held === undefined) return undefined;
    this.#byId.delete(orderId);
    this.#onChange(held.order.symbol);
    return held;
  }

  /** All of them now, oldest first. */
  all(): readonly HeldOrder[] {
    return this.#byId.size === 0 ? NONE : [...this.#byId.values()];
  }

  /** Adds those of a market that could still be executed. */
  addOpen(symbol: MarketSymbol, open: OwnedExposure): void {
    for (const { order } of this.all())
      if (order.symbol === symbol)
        open.add(undefined, order.side, order.priceTicks, openLotsOf(order, order.remainingLots));
  }

  /** Forgets all. */
  clear(): void {
    this.#byId.clear();
  }
}
