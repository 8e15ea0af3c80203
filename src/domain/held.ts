/**
 * @module
 * What waits on the desk for its owner while a write in flight could be it (obligation O120): orders and fills.
 */
import type { Fill } from './account.ts';
import type { Seq } from './ids.ts';
import type { WorkingOrder } from './order.ts';

/** An order as it was shown last. */
export interface HeldOrder {
  readonly order: WorkingOrder;
  readonly seq: Seq;
  /** It was there before the account was synced: whoever's it is, it is no anomaly. */
  readonly isOld: boolean;
}

/** The fills of an order that nobody has claimed. */
export interface UnclaimedFills {
  readonly fills: Fill[];
  /** As of {@link HeldOrder}. */
  readonly isOld: boolean;
}
