/** @module What became of orders and intents, as changes with their reason and proof. */
import type { AccountChange, OrderStanding } from './account-change.ts';
import type { Proof } from './fact.ts';
import type { OrderSpec } from './order.ts';
import type { TrackedOrder } from './tracked-order.ts';

/** Why something stands as it does. */
export interface Cause {
  readonly reason?: string;
  readonly proof?: Proof;
}

/** Tells changes of orders and intents. */
export class OrderTelling {
  readonly #changed: (change: AccountChange) => void;

  constructor(changed: (change: AccountChange) => void) {
    this.#changed = changed;
  }

  /** How an order stands now; nothing when there is no record of it. */
  order(record: TrackedOrder | undefined, standing: OrderStanding, { reason, proof }: Cause): void {
    if (record === undefined) return;
    const { symbol, orderId, order, owner } = record;
    const { strategyId, intentId } = owner;
    const spec = undefined;
    this.#changed({
      ...{
        type: 'OrderChanged',
        strategyId,
        intentId,
        symbol,
        orderId,
        order,
        spec,
        standing,
        reason,
        proof,
      },
    });
  }

  /** How an intent stands now that is no order. */
  intent(spec: OrderSpec, standing: OrderStanding, { reason, proof }: Cause): void {
    const { strategyId, intentId, symbol } = spec;
    const of = { strategyId, intentId, symbol, orderId: undefined, order: undefined, spec };
    this.#changed({ type: 'OrderChanged', ...of, standing, reason, proof });
  }
}
