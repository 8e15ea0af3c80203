/**
 * Symptom: the exchange closed a position against another account's debt while the bot was down. Its ledger says so, but the
 * next start took the difference for lots of nobody and was refused (PREFLIGHT_ORPHAN_POSITION, 77).
 */
import { describe, expect, test } from 'vitest';
import { createInMemoryJournal } from '../../src/bot/journal/index.ts';
import { type StrategyId, ticks } from '../../src/domain/index.ts';
import { startBot } from '../contract/bot.ts';
import { BTC, during } from '../contract/client.ts';
import { strategyOf } from '../support/bot-rig.ts';
import { bidder, drain } from '../support/deleverage.ts';
import { startTestExchange } from '../support/test-exchange.ts';

describe.each([
  ['whole', '0.1000', 0],
  ['in part', '0.0600', 400],
] as const)('a position that is closed %s against a debt', (_what, owed, remainingLots) => {
  /** A bot that has bought 0.1, from a debtor who cannot be closed in the book. */
  async function aRun() {
    const venue = await startTestExchange();
    const [debtor, other] = [venue.another(), venue.another()];
    const commit = { clock: venue.clock, delayMs: 1 };
    const journal = createInMemoryJournal({ commit });
    const bot = await startBot(venue, { a: bidder }, { journal, account: '' });
    other.place([{ side: 'buy', price: '90000.0', size: '1.0000' }]);
    await venue.clock.advanceAsync(2_000);
    drain(debtor, 600n);
    debtor.place([{ side: 'sell', price: '100000.0', size: owed }]);
    const rest = (0.1 - Number(owed)).toFixed(4);
    if (Number(rest) > 0) other.place([{ side: 'sell', price: '100000.0', size: rest }]);
    await venue.clock.advanceAsync(2_000);
    expect(bot.bot.account.positionLots(BTC)).toBe(1_000);
    return { venue, commit, journal, bot };
  }

  async function expectFollowed({ venue, commit, journal }: Awaited<ReturnType<typeof aRun>>): Promise<void> {
    const again = createInMemoryJournal({ rows: journal.rows(), commit });
    const next = await startBot(venue, { a: bidder }, { journal: again, account: '' });
    await venue.clock.advanceAsync(3_000);
    const { account } = next.bot;
    expect(account.positionLots(BTC)).toBe(remainingLots);
    expect(account.positionLots(BTC, 'a' as StrategyId)).toBe(remainingLots);
    expect(account.unownedLots(BTC)).toBe(0);
    expect([next.halts, account.sync.kind, account.positionMismatches()]).toEqual([[], 'synced', []]);
    await next.close();
    // And what was found is found once: the run after it begins from it.
    const third = createInMemoryJournal({ rows: again.rows(), commit });
    expect(third.effects().moves).toHaveLength(1);
    const last = await startBot(venue, { a: bidder }, { journal: third, account: '' });
    expect(last.bot.account.positionLots(BTC, 'a' as StrategyId)).toBe(remainingLots);
    await last.close();
  }

  test('while the bot is down is followed by the next start', async () => {
    const run = await aRun();
    await during(run.venue.clock, run.bot.stop('down'));
    await run.bot.close();
    run.venue.exchange.control.price({ symbol: 'BTC-USD', price: ticks(1_200_000) });
    await run.venue.clock.advanceAsync(3_000);
    await expectFollowed(run);
  });

  test('just before the bot dies, which knows the entry and not how far it went, is followed too', async () => {
    const run = await aRun();
    // The position is not shown any more; the entry of the ledger is.
    run.bot.wire.alter = (text) => (/"channel":"(?:positions|orders)"/.test(text) ? [] : [text]);
    run.venue.exchange.control.price({ symbol: 'BTC-USD', price: ticks(1_200_000) });
    await run.venue.clock.advanceAsync(600);
    expect(run.journal.effects().ledger.map(({ kind }) => kind)).toContain('deleverage');
    expect(run.journal.effects().moves).toEqual([]);
    await run.bot.close();
    await run.venue.clock.advanceAsync(30_000);
    await expectFollowed(run);
  });
});

test('error: lots that neither fills nor the ledger explain are still refused', async () => {
  const venue = await startTestExchange();
  const commit = { clock: venue.clock, delayMs: 1 };
  const journal = createInMemoryJournal({ commit });
  const bot = await startBot(venue, { a: strategyOf(() => ({})) }, { journal, account: '' });
  await venue.clock.advanceAsync(1_000);
  await during(venue.clock, bot.stop('down'));
  await bot.close();
  venue.another().place([{ side: 'sell', price: '100010.0', size: '0.0500' }]);
  venue.place([{ side: 'buy', price: '100010.0', size: '0.0500', timeInForce: 'ioc' }]);
  const again = createInMemoryJournal({ rows: journal.rows(), commit });
  await expect(
    startBot(venue, { a: strategyOf(() => ({})) }, { journal: again, account: '' }),
  ).rejects.toMatchObject({ code: 'PREFLIGHT_ORPHAN_POSITION' });
});
