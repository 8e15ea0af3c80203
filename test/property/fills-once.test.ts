/** @module The one deduplication of fills and ledger entries: behind the streams each is a fact exactly once. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createInMemoryJournal, type InMemoryJournal } from '../../src/bot/journal/index.ts';
import { VirtualClock } from '../../src/core/index.ts';
import { type Cursor, compareCursors, type Fact, type LedgerEntry } from '../../src/domain/index.ts';
import { AccountFacts } from '../../src/wire/stream/account/account-facts.ts';
import { aFill, usd } from '../support/trading-builders.ts';

const COUNT_MAX = 12;
const idOf = (at: number): Cursor => `${9 + Math.floor(at / 3)}-0-${at % 3}` as Cursor;

/** One account's facts over a journal: what the stream makes at each start. */
function opened(journal: InMemoryJournal) {
  const facts: Fact[] = [];
  const account = new AccountFacts({
    ...{ effects: journal, sink: (fact: Fact) => void facts.push(fact), clock: new VirtualClock(0) },
    onJournalFailure: (thrown) => expect(thrown).toBeUndefined(),
  });
  return { facts, account };
}

/** Ids as pages of history or live frames bring them: each as often as is said, in any order. */
const deliveries = fc
  .array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: COUNT_MAX })
  .chain((times) => {
    const all = times.flatMap((often, at) => Array.from({ length: often }, () => idOf(at)));
    return fc.shuffledSubarray(all, { minLength: all.length, maxLength: all.length });
  });

function entryOf(id: Cursor): LedgerEntry {
  return { id, kind: 'deposit', amount: usd(1), symbol: null, orderId: null, atMs: null };
}

/** Delivers and waits until everything is stored. */
async function deliver(account: AccountFacts, ids: readonly Cursor[]): Promise<void> {
  for (const id of ids) {
    account.applyFills([aFill({ id })], 'stream');
    account.applyHistory({ channel: 'ledger', entry: entryOf(id) } as Parameters<
      typeof account.applyHistory
    >[0]);
  }
  await account.writer.flush();
}

function shownOf(facts: readonly Fact[]): { readonly fills: Cursor[]; readonly entries: Cursor[] } {
  const fills = facts.flatMap((fact) => (fact.type === 'FillRecorded' ? [fact.fill.id] : []));
  const entries = facts.flatMap((fact) => (fact.type === 'LedgerRecorded' ? [fact.entry.id] : []));
  return { fills: fills.sort(compareCursors), entries: entries.sort(compareCursors) };
}

describe('fills and ledger entries that come again, or late', () => {
  test('are facts exactly once each, and are stored once (I1, I3)', async () => {
    await fc.assert(
      fc.asyncProperty(deliveries, async (ids) => {
        const journal = createInMemoryJournal();
        const { facts, account } = opened(journal);
        await account.beginEpoch('k1-1', undefined);
        await deliver(account, ids);
        const all = [...new Set(ids)].sort(compareCursors);
        expect(shownOf(facts)).toEqual({ fills: all, entries: all });
        const { fills, ledger } = journal.effects();
        expect(fills.map(({ id }) => id).sort(compareCursors)).toEqual(all);
        expect(ledger.map(({ id }) => id).sort(compareCursors)).toEqual(all);
      }),
    );
  });

  test('are facts exactly once after a restart, with what came before it (O97)', async () => {
    await fc.assert(
      fc.asyncProperty(deliveries, deliveries, async (before, after) => {
        const journal = createInMemoryJournal();
        const first = opened(journal);
        await first.account.beginEpoch('k1-1', undefined);
        await deliver(first.account, before);
        const second = opened(journal);
        expect(second.account.restore()).toBe('k1-1');
        await deliver(second.account, after);
        const all = [...new Set([...before, ...after])].sort(compareCursors);
        expect(shownOf(second.facts)).toEqual({ fills: all, entries: all });
      }),
    );
  });

  test('are facts again in a new ledger: its ids are its own', async () => {
    await fc.assert(
      fc.asyncProperty(deliveries, async (ids) => {
        const { facts, account } = opened(createInMemoryJournal());
        await account.beginEpoch('k1-1', undefined);
        await deliver(account, ids);
        await account.beginEpoch('k1-2', undefined);
        facts.length = 0;
        await deliver(account, ids);
        const all = [...new Set(ids)].sort(compareCursors);
        expect(shownOf(facts)).toEqual({ fills: all, entries: all });
      }),
    );
  });
});
