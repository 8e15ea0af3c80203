/** @module The one way to change cash: the balance and its ledger entry, so that their sums cannot differ. */
import type { CashChange, EventLog } from '../event-log.ts';
import type { AccountState } from './account.ts';

/** Changes the cash of an account and notes the entry; nothing happens for an amount of zero. */
export function post(log: Pick<EventLog, 'onCash'>, account: AccountState, change: CashChange): void {
  if (change.amount === 0n) return;
  account.collateral += change.amount;
  account.netCollateral = undefined;
  log.onCash(account.number, change);
}
