/** @module A market closed while a start was under way, and it quoted by what it had read before: seeds 9531, 6008 of the swarm. */
import { expect, test } from 'vitest';
import { aCalmWorld } from '../support/calm-world.ts';

test('no order goes to a market that closed while the bot started (F39, O10, I23)', async () => {
  const { world, pass } = await aCalmWorld();
  const { bot, exchange } = world;
  let placements = 0;
  world.watch((sight) => {
    if (sight.kind === 'request' && sight.method === 'POST' && sight.path.endsWith('/v1/orders'))
      placements++;
  });
  const letUpgrade = world.network.onUpgrade(() => ({ refuse: 503 }));
  bot.start();
  await pass(2_000);
  exchange.control.marketStatus({ symbol: 'BTC-USD', status: 'CancelOnly' });
  await pass(10_000);
  letUpgrade();
  await pass(60_000, () => bot.life.state === 'running');
  await pass(3_000);
  expect(bot.life.state).toBe('running');
  expect(placements).toBe(0);
  exchange.control.marketStatus({ symbol: 'BTC-USD', status: 'Active' });
  await pass(10_000, () => placements > 0);
  expect(placements).toBeGreaterThan(0);
});

test('a market that closed between the two tables of a start refuses it (F39, O10), seed 6008', async () => {
  const { world, open } = await aCalmWorld();
  const { bot, exchange, clock } = world;
  let tables = 0;
  world.watch((sight) => {
    if (sight.kind !== 'answer' || !sight.body.includes('"markets"')) return;
    if (++tables === 1) exchange.control.marketStatus({ symbol: 'BTC-USD', status: 'CancelOnly' });
  });
  bot.start();
  await clock.advanceAsync(4_000);
  expect(tables).toBe(2);
  expect(bot.life).toMatchObject({ number: 1, state: 'over' });
  expect(String(bot.life.failure)).toContain('to be Active, got CancelOnly');
  exchange.control.marketStatus({ symbol: 'BTC-USD', status: 'Active' });
  bot.start();
  await clock.advanceAsync(20_000);
  expect(open()).toBeGreaterThan(0);
});
