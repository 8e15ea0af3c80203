/** @module A market closed while a start was under way, and it quoted by what it had read before: seeds 9531, 6008 of the swarm. */
import { expect, test } from 'vitest';
import { planOf } from '../simulation/plan.ts';
import { openWorld } from '../simulation/world.ts';

test('no order goes to a market that closed while the bot started (F39, O10, I23)', async () => {
  const world = await openWorld({ ...planOf(1, []), ambiguities: {}, config: 'calm', signatures: 'keyed' });
  const pass = async (forMs: number, holds: () => boolean): Promise<void> => {
    const untilMs = world.clock.monotonicMs() + forMs;
    while (!holds() && world.clock.monotonicMs() < untilMs) await world.clock.advanceAsync(250);
  };
  const { bot, exchange } = world;
  let placements = 0;
  world.watch((sight) => {
    if (sight.kind === 'request' && sight.method === 'POST' && sight.path.endsWith('/v1/orders'))
      placements++;
  });
  try {
    const letUpgrade = world.network.onUpgrade(() => ({ refuse: 503 }));
    bot.start();
    await pass(2_000, () => false);
    exchange.control.setMarketStatus('BTC-USD', 'CancelOnly');
    await pass(10_000, () => false);
    letUpgrade();
    await pass(60_000, () => bot.life.state === 'running');
    await pass(3_000, () => false);
    expect(bot.life.state).toBe('running');
    expect(placements).toBe(0);
    exchange.control.setMarketStatus('BTC-USD', 'Active');
    await pass(10_000, () => placements > 0);
    expect(placements).toBeGreaterThan(0);
  } finally {
    world.close();
  }
});

test('a market that closed between the two tables of a start refuses it (F39, O10), seed 6008', async () => {
  const world = await openWorld({ ...planOf(1, []), ambiguities: {}, config: 'calm', signatures: 'keyed' });
  const { bot, exchange, clock } = world;
  const open = () => exchange.control.venue.openOrders(world.account.accountId).length;
  let tables = 0;
  world.watch((sight) => {
    if (sight.kind !== 'answer' || !sight.body.includes('"markets"')) return;
    if (++tables === 1) exchange.control.setMarketStatus('BTC-USD', 'CancelOnly');
  });
  try {
    bot.start();
    await clock.advanceAsync(4_000);
    expect(tables).toBe(2);
    expect(bot.life).toMatchObject({ number: 1, state: 'over' });
    expect(String(bot.life.failure)).toContain('to be Active, was CancelOnly');
    exchange.control.setMarketStatus('BTC-USD', 'Active');
    bot.start();
    await clock.advanceAsync(20_000);
    expect(open()).toBeGreaterThan(0);
  } finally {
    world.close();
  }
});
