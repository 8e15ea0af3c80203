/**
 * @module
 * Ends of orders that were heard by number alone, of orders of which nothing else is known yet: an exchange may name no more
 * in the event of an end, and the answer that gives an order its number, or the event that shows it, may come later or
 * be lost. What is heard here is how the order ended (I30): a snapshot that shows it no more says less. Looks no order up.
 */
import type { OrderId, Seq } from './ids.ts';
import type { EndedRef, OrderRef, TerminalStatus } from './order.ts';
import type { OrderEnding } from './tracked-order.ts';

/** Most are of orders that are nobody's here, such as slices: of more of them no answer is on its way any more. */
const KEPT_MAX = 10_000;

/** Takes the end of an order whose market is known. */
interface Ender {
  end(ref: EndedRef, status: TerminalStatus, by: OrderEnding): void;
}

/** See the module. */
export class NamelessEnds {
  readonly #byId = new Map<OrderId, { readonly status: TerminalStatus; readonly by: OrderEnding }>();

  /** Keeps an end until something names the market of its number, which is unknown. The first one stands: terminal is terminal. */
  keep(orderId: OrderId, status: TerminalStatus, by: OrderEnding): undefined {
    if (this.#byId.has(orderId)) return;
    this.#byId.set(orderId, { status, by });
    if (this.#byId.size <= KEPT_MAX) return;
    const [oldest] = this.#byId.keys();
    if (oldest !== undefined) this.#byId.delete(oldest);
  }

  /** An order is named as it was at `seq`. What was heard of its number since is its end; before, that of another (ambiguity A10). */
  name({ symbol, orderId }: OrderRef, seq: Seq | undefined, orders: Ender): void {
    if (this.#byId.size === 0) return;
    const kept = this.#byId.get(orderId);
    if (kept === undefined) return;
    this.#byId.delete(orderId);
    const { status, by } = kept;
    if (seq === undefined || by.seq === undefined || by.seq >= seq)
      orders.end({ symbol, orderId }, status, by);
  }

  /** Forgets all: another ledger numbers its orders again. */
  clear(): void {
    this.#byId.clear();
  }
}
