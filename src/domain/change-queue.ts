/** @module Changes of an account that were not reported yet, in order, and how those of orders and fills are made. */
import type { Fill } from './account.ts';
import type { AccountChange, OrderStatus } from './account-change.ts';
import type { Proof } from './fact.ts';
import type { OrderSpec } from './order.ts';
import type { TrackedOrder } from './tracked-order.ts';

/** Why something has its status. */
export interface Cause {
  /** The reason, in words; absent: none is given. */
  readonly reason?: string | undefined;
  /** What proves it; absent: it needs no proof. */
  readonly proof?: Proof | undefined;
}

/** See the module. Nearly every fact adds one or none: the slots of the list are used again and again. */
export class ChangeQueue {
  readonly #changes: (AccountChange | undefined)[] = [];
  #count = 0;

  add(change: AccountChange): void {
    this.#changes[this.#count++] = change;
  }

  /** The status of an order. */
  order(record: TrackedOrder, status: OrderStatus, proof: Proof | undefined, reason?: string): void {
    this.add({
      type: 'OrderChanged',
      strategyId: record.strategyId,
      intentId: record.intentId,
      symbol: record.symbol,
      orderId: record.orderId,
      order: record.order,
      spec: undefined,
      status,
      reason,
      proof,
    });
  }

  /** The status of an intent that is no order. */
  intent(spec: OrderSpec, status: OrderStatus, { reason, proof }: Cause): void {
    this.add({
      type: 'OrderChanged',
      strategyId: spec.strategyId,
      intentId: spec.intentId,
      symbol: spec.symbol,
      orderId: undefined,
      order: undefined,
      spec,
      status,
      reason,
      proof,
    });
  }

  /** A fill that is booked, with the order that it belongs to. */
  fill(fill: Fill, { strategyId, intentId }: Pick<TrackedOrder, 'strategyId' | 'intentId'>): void {
    this.add({ type: 'FillApplied', fill, strategyId, intentId });
  }

  /** Reports each, and what is added meanwhile. */
  drain(onChange: (change: AccountChange) => void): void {
    for (let at = 0; at < this.#count; at++) {
      const change = this.#changes[at];
      this.#changes[at] = undefined;
      if (change !== undefined) onChange(change);
    }
    this.#count = 0;
  }
}
