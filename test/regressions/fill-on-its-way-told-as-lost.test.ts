/**
 * Symptom: an audit that began between the frame of an order and that of its fill warned of entries that did not come by
 * the stream, although nothing was lost: where fills are told with the end of the block a page is quicker (seed 6954,
 * ambiguity A18). A fill that the stream brought while the audit ran was counted, too.
 */
import { expect, test } from 'vitest';
import { type Log, silentLog } from '../../src/core/index.ts';
import { lots, ticks } from '../../src/domain/index.ts';
import { defaultQuirks } from '../../src/exchange/index.ts';
import { startBot } from '../contract/bot.ts';
import { BTC } from '../contract/client.ts';
import { strategyOf } from '../support/bot-rig.ts';
import { startTestExchange } from '../support/test-exchange.ts';

const BLOCK_MS = 5_000;
const BLOCKS = 16;

/** Bids for 0.05 at 99,900, always. */
const bidder = strategyOf((context) => ({
  onBook: () => context.quote(BTC, { bids: [{ priceTicks: ticks(999_000), sizeLots: lots(500) }], asks: [] }),
}));

/** Sells to the bot at the begin of each block, and tells what the log counts as lost until a minute after. */
async function lostWhile({ isLost }: { readonly isLost: boolean }) {
  const quirks = { ...defaultQuirks(), A18: 'blocks-first' } as const;
  const venue = await startTestExchange({ blockMs: BLOCK_MS, quirks });
  const { clock } = venue;
  const seller = venue.another();
  const counts: unknown[] = [];
  const log: Log = {
    ...silentLog,
    warn: (message, fields) => {
      if (message.includes('did not come by the stream')) counts.push(fields?.['count']);
    },
  };
  const { bot, close } = await startBot(venue, { a: bidder }, { log });
  for (let block = 0; block < BLOCKS; block++) {
    await clock.advanceAsync(BLOCK_MS - (clock.monotonicMs() % BLOCK_MS) + 500);
    if (isLost && block === 0) venue.exchange.control.frameFault({ kind: 'lose', channel: 'fills' });
    seller.place([{ side: 'sell', price: '99900.0', size: '0.0100' }]);
  }
  await clock.advanceAsync(60_000);
  expect(bot.account.positionLots(BTC)).toBe(BLOCKS * 100);
  await close();
  return counts;
}

test('a fill that an audit books before its frame comes is not lost', async () => {
  expect(await lostWhile({ isLost: false })).toEqual([]);
});

test('a fill whose frame never comes is told, once', async () => {
  expect(await lostWhile({ isLost: true })).toEqual([1]);
});
