/**
 * @module
 * A wallet that was taken out of the configuration while a write of it was open: no lane can prove what became of it, so
 * the run says so (invariant I20).
 */
import { expect, test } from 'vitest';
import { createInMemoryJournal } from '../../src/bot/journal/index.ts';
import { type Log, silentLog } from '../../src/core/index.ts';
import { strategyOf } from '../support/bot-rig.ts';
import { startTestExchange } from '../support/test-exchange.ts';
import { aWrite } from '../unit/bot/journal/support.ts';
import { startBot } from './bot.ts';

const quiet = strategyOf(() => ({}));

test('a write left open by a wallet that is not configured any more is named at the start', async () => {
  const venue = await startTestExchange();
  const { clock } = venue;
  const { epoch } = venue.get('/v1/events?limit=1').json;
  const journal = createInMemoryJournal({ commit: { clock, delayMs: 1 } });
  const left = aWrite(1, { epoch });
  const recorded = journal.recordWrite(left);
  await clock.advanceAsync(10);
  await recorded;
  const warned: unknown[] = [];
  const log: Log = { ...silentLog, warn: (message, fields) => void warned.push({ message, fields }) };
  const bot = await startBot(venue, { a: quiet }, { log, journal });
  expect(warned).toContainEqual(
    expect.objectContaining({
      message: 'the journal has writes without a proven end by wallets that are not configured any more',
      fields: expect.objectContaining({ writes: 1, scopes: [left.scope], requestIds: [left.requestId] }),
    }),
  );
  expect(journal.openWrites().map(({ requestId }) => requestId)).toEqual([left.requestId]);
  await bot.close();
});
