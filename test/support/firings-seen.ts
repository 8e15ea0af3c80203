/** @module What a live run takes for a sign that its dead man's switch has fired. */
import { type LiveListeners, liveListeners } from '../../src/bot/live/listeners.ts';
import type { AccountState, Fact } from '../../src/domain/index.ts';

/** The positions of the log at which the listener of a live run sees a firing, while `account` takes these facts. */
export function firingsSeen(account: AccountState, facts: readonly Fact[]): readonly bigint[] {
  return cancelsSeen(account, facts).flatMap(({ at, isCertain }) => (isCertain ? [at] : []));
}

/** Where it sees a cancel that no write of the run has made, or an order gone without a word, and whether only the switch explains it. */
export function cancelsSeen(
  account: AccountState,
  facts: readonly Fact[],
): readonly { readonly at: bigint; readonly isCertain: boolean }[] {
  const noted: { readonly at: bigint; readonly isCertain: boolean }[] = [];
  const executor = {
    onEpoch: () => undefined,
    onSynced: () => undefined,
    noteCanceled: (at: bigint, isCertain: boolean) => noted.push({ at, isCertain }),
    noteGone: (at: bigint) => noted.push({ at, isCertain: false }),
  };
  const run = { executor: () => executor, bot: () => ({ account, sink: () => undefined }) };
  const cancels = liveListeners(run as unknown as LiveListeners).find(({ name }) => name === 'cancels');
  if (cancels === undefined) throw new Error('expected a listener for cancels');
  for (const fact of facts) {
    cancels.take(fact);
    account.fold(fact);
  }
  return noted;
}
