/** @module Takes orders back that wait outside the book, whatever they wait for: one by its number, or all of an account. */
import type { CanonicalOrderId } from '../../../domain/index.ts';
import type { AccountState } from '../accounts/account.ts';
import type { CancelReason } from '../reasons.ts';
import type { VenueState } from '../state.ts';
import { cancelTrigger, sweepTriggers } from './trigger-orders.ts';
import { cancelTwap, sweepTwaps } from './twap.ts';

/** Takes one back. Gives the lots taken away, `undefined` when the account has none of that number. */
export function cancelWaiting(
  state: VenueState,
  account: AccountState,
  id: CanonicalOrderId,
  reason: CancelReason = 'Requested',
): number | undefined {
  return cancelTrigger(state, account, id, reason) ?? cancelTwap(state, account, id, reason);
}

/**
 * Cancel-all and the switch take all of them (exchange.md#market-rules), but for triggers where the venue spares them.
 */
export function sweepWaiting(
  state: VenueState,
  account: AccountState,
  reason: 'Requested' | 'ScheduleCancel' | 'Liquidation',
): void {
  sweepTriggers(state, account, reason);
  sweepTwaps(state, account, reason);
}
