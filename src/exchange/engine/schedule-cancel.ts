/**
 * @module
 * The dead man's switch: at an absolute time all resting orders of the account are canceled, once. Checked at the
 * beginning of each block (exchange.md#market-rules).
 */
import type { AccountState } from './accounts/account.ts';
import { sweepWaiting } from './commands/cancel-waiting.ts';
import { cancelOrder } from './matching/execution.ts';
import type { RejectReason } from './reasons.ts';
import type { VenueState } from './state.ts';

const DAY_MS = 86_400_000;

/**
 * Arms the switch, moves it or clears it (trigger 0). The trigger must be at least the venue's lead after the later of
 * block time and the client's time.
 */
export function setScheduleCancel(
  state: VenueState,
  account: AccountState,
  told: { triggerMs: number; nowMs: number },
): RejectReason | undefined {
  const { triggerMs } = told;
  const { hasNoScheduleCancelClear } = state.settings;
  const nowMs = Math.max(told.nowMs, state.log.at.blockAtMs);
  if (triggerMs === 0 ? hasNoScheduleCancelClear : triggerMs < nowMs + state.scheduleCancelLeadMs)
    return 'InvalidScheduleCancel';
  if (triggerMs !== 0 && isSwitchSpent(state, account)) return 'InvalidScheduleCancel';
  account.scheduleCancelAtMs = triggerMs;
  if (triggerMs === 0) state.armed.delete(account);
  else state.armed.add(account);
  state.log.emit({ kind: 'ScheduleCancelSet', account: account.number, triggerMs });
  return undefined;
}

/** True if the switch has fired as often today as it may. It then cannot be armed before the next day of UTC. */
export function isSwitchSpent({ settings, log }: VenueState, account: AccountState): boolean {
  const { day, count } = account.scheduleCancelFires;
  const isToday = day === dayOf(log.at.blockAtMs);
  return isToday && count >= (settings.scheduleCancelsPerDayMax ?? Number.POSITIVE_INFINITY);
}

/** Fires every switch that is due, by rising account number. */
export function fireScheduleCancels(state: VenueState): void {
  const { blockAtMs } = state.log.at;
  const due = [...state.armed].filter((account) => account.scheduleCancelAtMs <= blockAtMs);
  for (const account of due.sort((a, b) => a.number - b.number)) fireScheduleCancel(state, account);
}

/** Fires the switch of one account. */
export function fireScheduleCancel(state: VenueState, account: AccountState): void {
  account.scheduleCancelAtMs = 0;
  state.armed.delete(account);
  const { day, count } = account.scheduleCancelFires;
  const today = dayOf(state.log.at.blockAtMs);
  account.scheduleCancelFires = { day: today, count: day === today ? count + 1 : 1 };
  let canceledOrders = 0;
  for (const order of state.orders.of(account)) {
    cancelOrder(state, order, 'ScheduleCancel');
    canceledOrders++;
  }
  sweepWaiting(state, account, 'ScheduleCancel');
  state.log.emit({ kind: 'ScheduleCancelFired', account: account.number, canceledOrders });
}

function dayOf(atMs: number): number {
  return Math.floor(atMs / DAY_MS);
}
