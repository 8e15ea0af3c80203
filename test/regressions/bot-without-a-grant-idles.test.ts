/**
 * Symptom: after both API wallets had lost their grants, or the journal had failed, the bot went on forever without
 * ever being able to write again, and a supervisor saw a healthy process.
 */
import { describe, expect, test } from 'vitest';
import { exitCodeOfCode } from '../../src/cli/terminal/exit-codes.ts';
import { lots, ticks } from '../../src/domain/index.ts';
import { startBot } from '../contract/bot.ts';
import { BTC } from '../contract/client.ts';
import { strategyOf } from '../support/bot-rig.ts';
import { startTestExchange } from '../support/test-exchange.ts';

/** A bid far below the market, stated with each book. */
const bidder = strategyOf((context) => ({
  onBook: (view) => {
    const priceTicks = ticks(
      Math.floor((view.bestBidTicks ?? 1_000_000) / 100) * 100 - 500 + (context.now() % 7),
    );
    context.quote(BTC, { bids: [{ priceTicks, sizeLots: lots(100) }], asks: [] });
  },
}));

describe('a bot that can never write again', () => {
  test('ends by name when no wallet has a grant any more, and leaves no order', async () => {
    const venue = await startTestExchange();
    venue.another().place([
      { side: 'buy', price: '99990.0', size: '5.0000' },
      { side: 'sell', price: '100010.0', size: '5.0000' },
    ]);
    const bot = await startBot(venue, { a: bidder });
    await venue.clock.advanceAsync(2_000);
    expect(bot.halts).toEqual([]);
    for (const { address } of venue.account.apiWallets)
      venue.exchange.control.revoke({ account: venue.address, agent: address });
    await venue.clock.advanceAsync(60_000);
    expect(bot.halts.some((why) => why.startsWith('EXECUTION_GRANT_INVALID'))).toBe(true);
    expect(venue.exchange.control.venue.openOrders(venue.account.accountId)).toEqual([]);
    await bot.close();
  });

  test('ends with the exit code that its supervisor can act on', () => {
    expect(exitCodeOfCode('EXECUTION_GRANT_INVALID')).toBe(77);
    expect(exitCodeOfCode('EXECUTION_JOURNAL_FAILED')).toBe(73);
    expect(exitCodeOfCode('EXECUTION_OTHER_WRITER')).toBe(75);
  });
});
