import { expect, test } from 'vitest';
import { must } from '../../src/core/index.ts';
import { SecondWriter } from '../simulation/faults/many-bots-writer.ts';
import { aCalmWorld, haltsIn } from '../support/calm-world.ts';

/**
 * Two bots shared their wallets by mistake, and each had lost one lane to the other: neither could quote, neither ended,
 * and each kept the switch of the account armed for the orders of the other.
 */
test('a bot whose trading wallet somebody else writes with ends by name; started again it quotes (F69, O29)', async () => {
  const { world, pass, open } = await aCalmWorld();
  const halts = haltsIn(world);
  world.bot.start();
  await pass(60_000, () => open() > 0);
  const writer = must(SecondWriter.of(world, 0), 'the key of the trading wallet');
  const nonce = must(await writer.nonce(), 'its nonce');
  const triggerAtMs = (world.clock.nowMs() + 20_000) as never;
  expect(await writer.write({ kind: 'scheduleCancel', triggerAtMs }, nonce)).toBe(true);
  await pass(120_000, () => world.bot.life.state === 'over');
  expect(halts).toEqual(['EXECUTION_OTHER_WRITER']);
  expect(world.bot.life).toMatchObject({ number: 1, state: 'over' });
  expect(open()).toBe(0);
  world.bot.start();
  await pass(60_000, () => open() > 0);
  expect(open()).toBeGreaterThan(0);
});
