/** @module The entries that a new ledger begins with: what each account holds, so that the sum of its entries stays that. */
import type { LogPosition, VenueKernel } from '../engine/index.ts';
import type { LedgerEvent } from './event.ts';
import type { TokenBalances } from './token-balances.ts';

/** One entry per account of `holders`, and one for each other token that it holds. */
export function openingEntries(
  holders: Iterable<{ readonly id: number }>,
  { venue, tokens }: { readonly venue: VenueKernel; readonly tokens: TokenBalances },
  { seq, sub, blockAtMs }: LogPosition,
): readonly LedgerEvent[] {
  const events: LedgerEvent[] = [];
  for (const { id } of holders) {
    const opening = { account: id, entryKind: 'opening', seq, sub, blockAtMs } as const;
    events.push({
      kind: 'LedgerAppended',
      ...opening,
      amount: venue.account(id).collateral,
      market: undefined,
      orderSeq: undefined,
      counterOrderSeq: undefined,
      idx: events.length,
    });
    for (const held of tokens.of(id))
      events.push({ kind: 'TokenAppended', ...opening, ...held, idx: events.length });
  }
  return events;
}
