/**
 * @module
 * Orders that a snapshot has left out while fills up to it may be missing: how they ended is not known before the history
 * is booked, and until then they count as working (obligation O21, I30). Says nothing of how they ended.
 */
import type { OrderId, Seq } from './ids.ts';
import type { OrderRef } from './order.ts';

/** An order, and the seq of the snapshot that does not show it. */
export interface AbsentOrder {
  readonly ref: OrderRef;
  readonly seq: Seq;
}

/** See the module. */
export class MissingOrders {
  readonly #byId = new Map<OrderId, AbsentOrder>();
  #isHistoryBehind = false;

  /** History is missing from now on. */
  fallBehind(): void {
    this.#isHistoryBehind = true;
  }

  /** Keeps an order until the history is booked; false: it is, nothing is waited for. */
  keep(ref: OrderRef, seq: Seq): boolean {
    if (this.#isHistoryBehind) this.#byId.set(ref.orderId, { ref, seq });
    return this.#isHistoryBehind;
  }

  /** A newer snapshot shows it. */
  delete(orderId: OrderId): void {
    this.#byId.delete(orderId);
  }

  /** The history is booked: gives what was kept until then. */
  catchUp(): readonly AbsentOrder[] {
    this.#isHistoryBehind = false;
    const all = [...this.#byId.values()];
    this.#byId.clear();
    return all;
  }

  /** Forgets all. */
  clear(): void {
    this.#byId.clear();
  }
}
