/**
 * @module
 * Orders filled beyond their size (risk-and-keys M2). While an order is being replaced its number may be another order's
 * already, where replaced orders hand their number on (ambiguity A10): the end of its write tells.
 */
import type { TrackedOrder } from './tracked-order.ts';

/** Watches fills of orders. */
export class Overfills {
  readonly #suspects = new Set<TrackedOrder>();
  readonly #onOverfill: (record: TrackedOrder) => void;

  constructor(onOverfill: (record: TrackedOrder) => void) {
    this.#onOverfill = onOverfill;
  }

  /** An order was filled. */
  judge(record: TrackedOrder): void {
    const { order, fillLots, isCancelPending } = record;
    this.#suspects.delete(record);
    if (order === undefined || fillLots <= order.sizeLots) return;
    if (isCancelPending) this.#suspects.add(record);
    else this.#onOverfill(record);
  }

  /** A write has come to its end. */
  judgeAgain(): void {
    for (const record of [...this.#suspects]) this.judge(record);
  }

  /** Forgets all. */
  clear(): void {
    this.#suspects.clear();
  }
}
