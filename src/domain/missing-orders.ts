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
  /** Fills are booked up to here, and orders are shown sooner than fills. `undefined`: nobody says so, and nothing is waited for. */
  #bookedSeq: Seq | undefined;

  /** History is missing from now on. */
  fallBehind(): void {
    this.#isHistoryBehind = true;
  }

  /** Keeps an order until the history is booked up to `seq`; false: it is, nothing is waited for. */
  keep(ref: OrderRef, seq: Seq): boolean {
    const isKept = this.#isHistoryBehind || (this.#bookedSeq !== undefined && seq > this.#bookedSeq);
    if (isKept) this.#byId.set(ref.orderId, { ref, seq });
    return isKept;
  }

  /** A newer snapshot shows it. */
  delete(orderId: OrderId): void {
    this.#byId.delete(orderId);
  }

  /** No history is missing any more, but for what comes after {@link booked}. */
  catchUp(): void {
    this.#isHistoryBehind = false;
  }

  /** The history is booked up to `seq`; `undefined`: as far as it goes. Gives what was kept until then. */
  booked(seq: Seq | undefined): readonly AbsentOrder[] {
    if (seq === undefined || seq > (this.#bookedSeq ?? -1n)) this.#bookedSeq = seq;
    const over = [...this.#byId.values()].filter((one) => seq === undefined || one.seq <= seq);
    for (const { ref } of over) this.#byId.delete(ref.orderId);
    return over;
  }

  /** Forgets all: the ledger is another. */
  clear(): void {
    this.#byId.clear();
    this.#bookedSeq = undefined;
  }
}
