/**
 * @module
 * Orders filled beyond their size (denials.md M2). While an order is being replaced its number may be another order's
 * already, where replaced orders hand their number on (ambiguity A10): the end of its write shows it. At a start it may
 * have been replaced by writes that no journal holds: the list of orders shows that, but not where each of them began.
 */
import type { OrderId } from './ids.ts';
import { isPositionLeg } from './order.ts';
import type { TrackedOrder } from './tracked-order.ts';

/** What it asks and reports. */
export interface OverfillPorts {
  /** True if its number can be another order's: an unresolved write cancels it, or the state is not complete yet. */
  mayBeReplaced(orderId: OrderId): boolean;
  /** An order is filled beyond its size, and no replacement explains it. */
  onOverfill(record: TrackedOrder): void;
}

/** Watches fills of orders. */
export class Overfills {
  readonly #suspects = new Set<TrackedOrder>();
  readonly #ports: OverfillPorts;

  constructor(ports: OverfillPorts) {
    this.#ports = ports;
  }

  /** An order was filled. */
  check(record: TrackedOrder): void {
    const { orderId, order, fillLots, hasOpenEnd } = record;
    if (this.#suspects.size > 0) this.#suspects.delete(record);
    if (order === undefined || fillLots <= order.sizeLots || isPositionLeg(order)) return;
    if (hasOpenEnd || this.#ports.mayBeReplaced(orderId)) this.#suspects.add(record);
    else this.#ports.onOverfill(record);
  }

  /** A write has ended, or the state is complete. */
  checkAgain(): void {
    if (this.#suspects.size === 0) return;
    for (const record of [...this.#suspects]) this.check(record);
  }

  /** Forgets all. */
  clear(): void {
    this.#suspects.clear();
  }
}
