/**
 * Symptom: the exchange began a new ledger while the account held a position; from then on the strategy that had built it
 * thought that it was flat, for good and over restarts.
 */
import { describe, expect, test } from 'vitest';
import { createInMemoryJournal, type InMemoryJournal } from '../../src/bot/journal/index.ts';
import { unownedOf } from '../../src/bot/live/proof/run-report.ts';
import type { PositionUpdate } from '../../src/bot/strategy/index.ts';
import { lots, type MarketSymbol, type StrategyId, ticks } from '../../src/domain/index.ts';
import { runControlAction } from '../../src/exchange/control/index.ts';
import { type RunningBot, startBot } from '../contract/bot.ts';
import { BTC, during } from '../contract/client.ts';
import { strategyOf } from '../support/bot-rig.ts';
import { startTestExchange } from '../support/test-exchange.ts';

const BIDDER = 'bidder' as StrategyId;
const OTHER = 'other' as StrategyId;
/** The policy under which nothing is taken over silently. */
const HALT = 'orphanPositions: halt';
const SALE_LOTS = 100;

type Held = Awaited<ReturnType<typeof holding>>;

/** A bot with strategies that bid until they hold what they are sold. */
async function holding(names: readonly StrategyId[]) {
  const venue = await startTestExchange();
  const seller = venue.another();
  seller.place([
    { side: 'buy', price: '99980.0', size: '5.0000' },
    { side: 'sell', price: '100010.0', size: '5.0000' },
  ]);
  const journal = createInMemoryJournal({ commit: { clock: venue.clock, delayMs: 1 } });
  const told: PositionUpdate[] = [];
  const definitions = Object.fromEntries(
    names.map((name, at) => [
      name,
      strategyOf((context) => ({
        onBook: () =>
          context.quote(BTC, {
            bids: [{ priceTicks: ticks(999_950 - at), sizeLots: lots(SALE_LOTS) }],
            asks: [],
          }),
        onPosition: (update) => void told.push(update),
      })),
    ]),
  );
  const bot = await startBot(venue, definitions, { journal, account: HALT });
  await venue.clock.advanceAsync(2_000);
  seller.place([{ side: 'sell', price: '99990.0', size: `0.0${names.length}00`, timeInForce: 'ioc' }]);
  await venue.clock.advanceAsync(2_000);
  for (const name of names) expect(lotsOf(bot, name)).toBe(SALE_LOTS);
  told.length = 0;
  return { venue, seller, bot, journal, told, definitions };
}

const lotsOf = ({ bot }: RunningBot, name?: StrategyId): number => bot.account.positionLots(BTC, name);

async function newLedger({ venue }: Held): Promise<void> {
  await runControlAction(venue.exchange.control, 'epoch', {});
}

async function restarted(
  { venue, definitions }: Held,
  rows: ReturnType<InMemoryJournal['rows']>,
  choices: Parameters<typeof startBot>[2] = {},
): Promise<RunningBot> {
  const journal = createInMemoryJournal({ rows, commit: { clock: venue.clock, delayMs: 1 } });
  return await startBot(venue, definitions, { journal, account: HALT, ...choices });
}

async function ended({ venue, bot, journal }: Held): Promise<ReturnType<InMemoryJournal['rows']>> {
  await during(venue.clock, bot.stop('a restart'));
  await bot.close();
  return journal.rows();
}

describe('a new ledger while the account holds a position', () => {
  test('leaves the inventory with its strategy, which is told; and so does a restart in it', async () => {
    const held = await holding([BIDDER]);
    await newLedger(held);
    await held.venue.clock.advanceAsync(10_000);
    expect(held.bot.bot.account.sync.kind).toBe('synced');
    expect(lotsOf(held.bot)).toBe(SALE_LOTS);
    expect(lotsOf(held.bot, BIDDER)).toBe(SALE_LOTS);
    expect(held.told.map(({ inventoryLots, reason }) => [inventoryLots, reason])).toEqual([
      [SALE_LOTS, expect.stringContaining('carried over')],
    ]);
    expect(held.bot.bot.account.workingOrders(BTC as MarketSymbol)).toHaveLength(1);
    const rows = await ended(held);

    const second = await restarted(held, rows);
    expect(lotsOf(second, BIDDER)).toBe(SALE_LOTS);
    expect(second.bot.account.unownedLots(BTC)).toBe(0);
    await second.close();
  });

  test('leaves it there when the process dies before the new ledger is read', async () => {
    const held = await holding([BIDDER]);
    await newLedger(held);
    await held.venue.clock.advanceAsync(10_000);
    const rows = await ended(held);
    const at = rows.findLastIndex(({ type }) => type === 'epoch');
    const second = await restarted(held, rows.slice(0, at + 1));
    expect(lotsOf(second, BIDDER)).toBe(SALE_LOTS);
    await second.close();
  });

  test('leaves it there when it begins while the bot is down', async () => {
    const held = await holding([BIDDER]);
    const rows = await ended(held);
    await newLedger(held);
    const second = await restarted(held, rows);
    expect(lotsOf(second, BIDDER)).toBe(SALE_LOTS);
    await second.close();
  });

  test('leaves each of two strategies what it holds, after two changes in a row', async () => {
    const held = await holding([BIDDER, OTHER]);
    await newLedger(held);
    await held.venue.clock.advanceAsync(50);
    await newLedger(held);
    await held.venue.clock.advanceAsync(10_000);
    expect([lotsOf(held.bot, BIDDER), lotsOf(held.bot, OTHER)]).toEqual([SALE_LOTS, SALE_LOTS]);
    expect(held.bot.bot.status().trading.state).toBe('active');
    await held.bot.close();
  });
});

describe('a journal that is older than what the account did', () => {
  test('refuses the start by name with the lots, until they are accepted as nobody’s', async () => {
    const held = await holding([BIDDER]);
    const backup = [...held.journal.rows()];
    // The order that the first one fills is in the backup, that of the second one came later.
    for (let sale = 0; sale < 2; sale++) {
      held.seller.place([{ side: 'sell', price: '99990.0', size: '0.0100', timeInForce: 'ioc' }]);
      await held.venue.clock.advanceAsync(2_000);
    }
    expect(lotsOf(held.bot, BIDDER)).toBe(3 * SALE_LOTS);
    await ended(held);

    const expected = {
      code: 'PREFLIGHT_ORPHAN_POSITION',
      message: expect.stringMatching(/holds 300 lots .*strategies own 200 lots .*nobody 100 lots/),
    };
    await expect(restarted(held, backup)).rejects.toMatchObject(expected);

    const journal = createInMemoryJournal({
      rows: backup,
      commit: { clock: held.venue.clock, delayMs: 1 },
    });
    const choices = { journal, account: HALT };
    const second = await startBot(held.venue, held.definitions, { ...choices, acceptsDifference: true });
    expect(lotsOf(second, BIDDER)).toBe(2 * SALE_LOTS);
    expect(second.bot.status().markets[0]).toMatchObject({ position: '0.0300', unowned: '0.0100' });
    // A document of a run writes each size without zeros at its end, wherever it stands.
    expect(unownedOf(second.bot)).toEqual({ unowned: { [BTC]: '0.01' } });
    await during(held.venue.clock, second.stop('a restart'));
    await second.close();

    // It was accepted once, and stays so.
    const third = await restarted(held, journal.rows());
    expect(third.bot.account.unownedLots(BTC)).toBe(SALE_LOTS);
    await third.close();
  });
});

describe('a trade of somebody else while the bot was down', () => {
  test('refuses the start, although the journal knows of earlier runs', async () => {
    const held = await holding([BIDDER]);
    const rows = await ended(held);
    held.venue.place([{ side: 'sell', price: '99980.0', size: '0.0100', timeInForce: 'ioc' }], {
      by: 'wallet',
    });
    await held.venue.clock.advanceAsync(1_000);
    await expect(restarted(held, rows)).rejects.toMatchObject({
      code: 'PREFLIGHT_ORPHAN_POSITION',
      message: expect.stringMatching(/holds 0 lots .*strategies own 100 lots .*nobody -100 lots/),
    });
  });
});
