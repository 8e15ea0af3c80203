/**
 * @module
 * The dead man's switch: at an absolute time all resting orders of the account are canceled, once. Checked at the
 * beginning of each block (wire-facts 6).
 */
import type { AccountState } from './accounts/account.ts';
import { cancelOrder } from './matching/execution.ts';
import type { RejectReason } from './reasons.ts';
import type { VenueState } from './state.ts';

/**
 * Arms the switch, moves it or clears it (trigger 0). The trigger must lie at least the venue's lead after the later of
 * block time and the client's time.
 */
export function setScheduleCancel(
  state: VenueState,
  account: AccountState,
  told: { triggerMs: number; nowMs: number },
): RejectReason | undefined {
  const { triggerMs } = told;
  const nowMs = Math.max(told.nowMs, state.log.at.blockAtMs);
  if (triggerMs !== 0 && triggerMs < nowMs + state.settings.scheduleCancelLeadMs)
    return 'InvalidScheduleCancel';
  account.scheduleCancelAtMs = triggerMs;
  if (triggerMs === 0) state.armed.delete(account);
  else state.armed.add(account);
  state.log.emit({ kind: 'ScheduleCancelSet', account: account.number, triggerMs });
  return undefined;
}

/** Fires every switch that is due, by rising account number. */
export function fireScheduleCancels(state: VenueState): void {
  const { blockAtMs } = state.log.at;
  const due = [...state.armed].filter((account) => account.scheduleCancelAtMs <= blockAtMs);
  for (const account of due.sort((a, b) => a.number - b.number)) {
    account.scheduleCancelAtMs = 0;
    state.armed.delete(account);
    let canceledOrders = 0;
    for (const order of state.orders.of(account)) {
      cancelOrder(state, order, 'ScheduleCancel');
      canceledOrders++;
    }
    state.log.emit({ kind: 'ScheduleCancelFired', account: account.number, canceledOrders });
  }
}
