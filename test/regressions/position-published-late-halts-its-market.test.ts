/**
 * Symptom: on an exchange whose blocks take longer than two seconds each fill halted its market and canceled its
 * orders: the position by all fills was held against the one that was published before them (denials.md M3).
 */
import { expect, test } from 'vitest';
import { type Log, silentLog } from '../../src/core/index.ts';
import { lots, ticks } from '../../src/domain/index.ts';
import { startBot } from '../contract/bot.ts';
import { BTC } from '../contract/client.ts';
import { strategyOf } from '../support/bot-rig.ts';
import { startTestExchange } from '../support/test-exchange.ts';

const BLOCK_MS = 5_000;

/** Bids for 0.05 at 99,900, always. */
const bidder = strategyOf((context) => ({
  onBook: () => context.quote(BTC, { bids: [{ priceTicks: ticks(999_000), sizeLots: lots(500) }], asks: [] }),
}));

test('a market of slow blocks is quoted on after its fills (M3)', async () => {
  const venue = await startTestExchange({ blockMs: BLOCK_MS });
  const { clock } = venue;
  const seller = venue.another();
  const warnings: string[] = [];
  const log: Log = { ...silentLog, warn: (message) => warnings.push(message) };
  const { bot, close } = await startBot(venue, { a: bidder }, { log });
  seller.place([{ side: 'buy', price: '90000.0', size: '1.0000' }]);
  for (let round = 0; round < 3; round++) {
    await clock.advanceAsync(BLOCK_MS - (clock.monotonicMs() % BLOCK_MS) + 500);
    expect(bot.account.positionMismatches()).toEqual([]);
    // Behind a block's begin: the fill is told at once, the position with the next block.
    seller.place([{ side: 'sell', price: '99900.0', size: '0.0100' }]);
    await clock.advanceAsync(4_000);
    expect(bot.account.positionMismatches()).toMatchObject([{ unpublishedSince: expect.any(BigInt) }]);
  }
  expect(bot.account.positionLots(BTC)).toBe(300);
  expect(bot.account.workingOrders(BTC)).toHaveLength(1);
  expect(warnings.filter((message) => message.startsWith('M3'))).toEqual([]);
  await close();
});
