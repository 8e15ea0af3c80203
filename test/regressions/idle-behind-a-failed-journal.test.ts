/** @module A journal failed below a red health: no lane wrote, so none met it, and the bot idled on (seed 3906 of the swarm). */
import { expect, test } from 'vitest';
import type { Quantums } from '../../src/domain/index.ts';
import { aCalmWorld } from '../support/calm-world.ts';

const DEPOSIT = 1_000_000n as Quantums;

test('a bot whose journal fails while it does not write ends by name, and quotes when it is started again (F55, O97, I13)', async () => {
  const { world, pass, open } = await aCalmWorld();
  const { bot, network, disk, account, exchange } = world;
  bot.start();
  await pass(60_000, () => open() > 0);
  expect(open()).toBeGreaterThan(0);
  const letUpgrade = network.onUpgrade(() => ({ refuse: 503 }));
  network.cutSockets('ECONNRESET');
  // The health turns red without a stream, and everything is canceled.
  await pass(60_000, () => open() === 0);
  await pass(10_000);
  disk.failFrom(1, 'ENOSPC: database or disk is full');
  exchange.control.fund({ account: account.address, amount: DEPOSIT });
  letUpgrade();
  await pass(120_000, () => bot.life.state === 'over');
  expect(bot.life).toMatchObject({ number: 1, state: 'over' });
  disk.heal();
  bot.start();
  await pass(60_000, () => open() > 0);
  expect(open()).toBeGreaterThan(0);
});
