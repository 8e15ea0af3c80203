/** @module How a new ledger begins: its name, and an entry of what each account holds, so that its entries sum up to that. */
import type { Random } from '../../core/index.ts';
import type { LogPosition, VenueKernel } from '../engine/index.ts';
import type { LedgerEvent } from './event.ts';
import type { TokenBalances } from './token-balances.ts';

/** The name of a new ledger, in the form of the real ones (exchange.md#streams); `isInteger`: digits only (quirk A12). */
export function epochName(nowMs: number, random: Random, isInteger: boolean): string {
  const drawn = random.integer(1, 4_000_000);
  return isInteger ? `${nowMs}${drawn}` : `k${nowMs}000000-${drawn}`;
}

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
