/** @module The outcome of orders and intents, as changes with their reason and proof. */
import type { Fill } from './account.ts';
import type { AccountChange, OrderStatus } from './account-change.ts';
import type { Proof } from './fact.ts';
import type { MarketSymbol, StrategyId } from './ids.ts';
import type { OrderSpec } from './order.ts';
import type { TrackedOrder } from './tracked-order.ts';

/** Why something has its status. */
export interface Cause {
  /** The reason, in words; absent: none is given. */
  readonly reason?: string | undefined;
  /** What proves it; absent: it needs no proof. */
  readonly proof?: Proof | undefined;
}

/** What the orderStore reports to. */
export interface OrderStoreEvents {
  /** The exposure of a market is another now. */
  touched(symbol: MarketSymbol): void;
  /** An order or intent has changed. */
  changed(change: AccountChange): void;
  /** A fill has found its owner, or is known to have none. */
  attributed(fill: Fill, strategyId: StrategyId | undefined): void;
}

/** Reports changes of orders and intents. */
export class OrderEvents {
  readonly #events: OrderStoreEvents;

  constructor(events: OrderStoreEvents) {
    this.#events = events;
  }

  /** The status of an order. */
  order(record: TrackedOrder, status: OrderStatus, proof: Proof | undefined, reason?: string): void {
    this.#events.changed({
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
    this.#events.changed({
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

  /** To whom a fill belongs, which is booked on the account already. */
  fill(fill: Fill, { strategyId, intentId }: TrackedOrder): void {
    this.#events.attributed(fill, strategyId);
    this.#events.changed({ type: 'FillApplied', fill, strategyId, intentId });
  }
}
