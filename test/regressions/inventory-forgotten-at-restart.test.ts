/**
 * Symptom: after a restart the account's position was right, but the strategy that had built it thought that it was
 * flat, and leaned the wrong way; and twenty restored fills of one side halted the market as a runaway (M1).
 */
import { describe, expect, test } from 'vitest';
import { createInMemoryJournal } from '../../src/bot/journal/index.ts';
import { OrderOwners } from '../../src/bot/journal/order-owners.ts';
import { lots, type MarketSymbol, type StrategyId, ticks } from '../../src/domain/index.ts';
import { startBot } from '../contract/bot.ts';
import { BTC, during } from '../contract/client.ts';
import { strategyOf } from '../support/bot-rig.ts';
import { startTestExchange } from '../support/test-exchange.ts';

const UNFILLED_ORDERS_MAX = 20_000;

/** Wants nothing. */
const idle = strategyOf(() => ({}));

describe('a restart', () => {
  test('gives strategies their inventory back and takes no old fill for a new one', async () => {
    const venue = await startTestExchange();
    const other = venue.another();
    other.place([
      { side: 'buy', price: '99990.0', size: '5.0000' },
      { side: 'sell', price: '100010.0', size: '5.0000' },
    ]);
    const journal = createInMemoryJournal({ commit: { clock: venue.clock, delayMs: 1 } });
    const bidder = strategyOf((context) => ({
      onBook: () =>
        context.quote(BTC, { bids: [{ priceTicks: ticks(999_950), sizeLots: lots(100) }], asks: [] }),
    }));
    const first = await startBot(venue, { bidder, idle }, { journal });
    // 25 sales in 50 s: more on one side than M1 lets pass within ten, but never so fast.
    for (let sale = 0; sale < 25; sale++) {
      await venue.clock.advanceAsync(2_000);
      other.place([{ side: 'sell', price: '99990.0', size: '0.0100', timeInForce: 'ioc' }]);
    }
    await venue.clock.advanceAsync(1_000);
    const held = first.bot.account.positionLots(BTC, 'bidder' as StrategyId);
    expect(held).toBe(2_500);
    await during(venue.clock, first.stop('a restart'));
    await first.close();

    const again = createInMemoryJournal({ rows: journal.rows(), commit: { clock: venue.clock, delayMs: 1 } });
    const second = await startBot(venue, { bidder, idle }, { journal: again });
    expect(second.bot.account.positionLots(BTC)).toBe(held);
    expect(second.bot.account.positionLots(BTC, 'bidder' as StrategyId)).toBe(held);
    expect(second.bot.account.positionLots(BTC, 'idle' as StrategyId)).toBe(0);
    await venue.clock.advanceAsync(3_000);
    expect(second.bot.account.workingOrders(BTC as MarketSymbol)).toHaveLength(1);
    await second.close();
  });
});

describe('OrderOwners', () => {
  const order = (n: number) => ({ orderId: `${n}`, strategyId: 's', intentId: `i${n}` }) as never;

  test('keeps what was filled for good and the last of the others', () => {
    const owners = new OrderOwners();
    owners.add([order(1)]);
    owners.filled([{ orderId: '1' as never }]);
    for (let n = 2; n <= UNFILLED_ORDERS_MAX + 10; n++) owners.add([order(n)]);
    const ids = owners.all().map(({ orderId }) => Number(orderId));
    expect(ids).toHaveLength(UNFILLED_ORDERS_MAX + 1);
    expect(ids[0]).toBe(1);
    expect(ids).not.toContain(2);
  });

  test('finds the owner of a fill that came before the answer', () => {
    const owners = new OrderOwners();
    owners.filled([{ orderId: '7' as never }]);
    owners.add([order(7)]);
    for (let n = 10; n < UNFILLED_ORDERS_MAX + 100; n++) owners.add([order(n)]);
    expect(owners.all()[0]?.orderId).toBe('7');
  });
});
