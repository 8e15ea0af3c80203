/** @module Changes of an account as a list. */
import type { AccountChange, AccountState } from '../../src/domain/index.ts';

/** What has changed since the last call, in order. */
export function takeChanges(account: Pick<AccountState, 'drainChanges'>): readonly AccountChange[] {
  const changes: AccountChange[] = [];
  account.drainChanges((change) => changes.push(change));
  return changes;
}
