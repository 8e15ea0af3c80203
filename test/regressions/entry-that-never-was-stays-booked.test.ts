/**
 * Symptom: a gateway reported a fill, or an entry of the ledger, that its own history does not have. The bot kept it in its
 * journal for good: its market stayed halted (M3), or it went on with books that never added up. And where such a fill had
 * halted the account (M2), the halt outlived it: the next run waited for a person because of nothing.
 */
import { expect, test } from 'vitest';
import { createInMemoryJournal } from '../../src/bot/journal/index.ts';
import { inMemoryStrategyStore } from '../../src/bot/kernel/index.ts';
import { lots, ticks } from '../../src/domain/index.ts';
import { startBot } from '../contract/bot.ts';
import { BTC, during } from '../contract/client.ts';
import { strategyOf } from '../support/bot-rig.ts';
import { startTestExchange } from '../support/test-exchange.ts';

// biome-ignore lint/suspicious/noExplicitAny: a frame is JSON of many shapes
type Frame = any;

const forged = (frame: Frame, changes: object): Frame => ({
  ...frame,
  data: { ...frame.data, id: `${frame.seq}-9-9`, sub: 9, idx: 9, ...changes },
});

const FRAMES: readonly (readonly [string, string, (frame: Frame) => readonly Frame[]])[] = [
  ['a fill beside a true one', 'fills', (frame) => [frame, forged(frame, {})]],
  [
    'a fill of an order that is not ours',
    'fills',
    (frame) => [frame, forged(frame, { orderId: '777777777' })],
  ],
  ['an entry of the ledger', 'ledger', (frame) => [frame, forged(frame, { amount: '1.000000' })]],
  [
    'a fill of another size under its id',
    'fills',
    (frame) => [{ ...frame, data: { ...frame.data, size: '0.0500' } }],
  ],
];

test.each(FRAMES)(
  '%s is taken back, the run ends by name, and the next one agrees',
  async (_what, channel, alter) => {
    const venue = await startTestExchange();
    const other = venue.another();
    other.place([
      { side: 'buy', price: '99990.0', size: '5.0000' },
      { side: 'sell', price: '100010.0', size: '5.0000' },
    ]);
    const bidder = strategyOf((context) => {
      const bid = () =>
        context.quote(BTC, { bids: [{ priceTicks: ticks(999_950), sizeLots: lots(100) }], asks: [] });
      return { onStart: () => context.startInterval('bid', 500), onTimer: bid, onResumed: bid };
    });
    const journal = createInMemoryJournal({ commit: { clock: venue.clock, delayMs: 1 } });
    const store = inMemoryStrategyStore();
    const bot = await startBot(venue, { a: bidder }, { journal, store });
    await venue.clock.advanceAsync(2_000);
    let isForged = false;
    bot.wire.alter = (text) => {
      const frame: Frame = JSON.parse(text);
      if (isForged || frame.channel !== channel || frame.isSnapshot === true || frame.data?.id === undefined)
        return [text];
      isForged = true;
      return alter(frame).map((one) => JSON.stringify(one));
    };
    venue.another().place([{ side: 'sell', price: '99900.0', size: '5.0050' }]);
    await venue.clock.advanceAsync(90_000);
    expect(isForged).toBe(true);
    expect(bot.halts).toEqual([expect.stringMatching(/^ACCOUNT_HISTORY_CONTRADICTED: /)]);
    const { venue: truth } = venue.exchange.control;
    const position = () => truth.positions(venue.account.accountId)[0]?.lots ?? 0;
    const booked = () =>
      journal.effects().fills.reduce((sum, one) => sum + (one.side === 'buy' ? 1 : -1) * one.sizeLots, 0);
    expect(booked()).toBe(position());
    await during(venue.clock, bot.stop('the books are wrong'));
    await bot.close();
    const again = createInMemoryJournal({ rows: journal.rows(), commit: { clock: venue.clock, delayMs: 1 } });
    const next = await startBot(venue, { a: bidder }, { journal: again, account: '', store });
    await venue.clock.advanceAsync(40_000);
    expect(next.halts).toEqual([]);
    expect(next.bot.account.positionLots(BTC)).toBe(position());
    expect(next.bot.account.unownedLots(BTC)).toBe(0);
    expect(next.bot.status().halts).toEqual([]);
    expect(next.bot.account.workingOrders(BTC)).toHaveLength(1);
    await next.close();
  },
);
