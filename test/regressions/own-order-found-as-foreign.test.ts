/**
 * Symptom: a bot that was killed and started again at once found its own orders and took them for foreign ones: the receipt
 * of the write that had placed them was still pending (obligation O60), or was asked of a replica that was behind the list
 * of orders (O18). The start ended with `PREFLIGHT_ORPHAN_ORDERS`, which says that a person must look.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EXIT, exitCodeOf } from '../../src/cli/terminal/exit-codes.ts';
import { parseConfig } from '../../src/config/index.ts';
import { aCalmWorld, type CalmWorld } from '../support/calm-world.ts';

const FILE = join(import.meta.dirname, '..', 'simulation', 'configs', 'calm.yaml');
const SETTINGS = { blockMs: 200, replicaLagMs: 1 } as const;
const BEHIND_MS = 6_000;

/** A bot that halts at foreign orders, in its first life and with orders at rest. */
async function aQuotingBot(): Promise<CalmWorld> {
  const yaml = readFileSync(FILE, 'utf8').replace('orphanOrders: cancel', 'orphanOrders: halt');
  const calm = await aCalmWorld({ settings: SETTINGS, subaccount: 0 }, parseConfig(yaml, FILE));
  calm.world.bot.start();
  await calm.pass(30_000, () => calm.world.bot.life.state === 'running' && calm.open() > 0);
  return calm;
}

/** Lets it write orders that nobody but the newest state knows of, and kills it. */
async function killBehindNewOrders({ world, pass }: CalmWorld): Promise<void> {
  let isPlaced = false;
  world.exchange.control.watch(({ events }) => {
    isPlaced ||= events.some(
      (event) => event.kind === 'OrderAccepted' && event.order.account === world.account.accountId,
    );
  });
  await pass(30_000, () => isPlaced);
  world.bot.kill('crash');
  expect(isPlaced).toBe(true);
}

describe('orders of an earlier life that rest at a start', () => {
  test('are its own once the receipt of their write is not pending any more', async () => {
    const calm = await aQuotingBot();
    const { bot, exchange, clock } = calm.world;
    exchange.control.durabilityLag({ lag: 60_000 });
    await killBehindNewOrders(calm);
    clock.after(4_000, () => exchange.control.durabilityLag({ lag: 0 }));
    bot.start();
    await calm.pass(60_000, () => bot.life.state === 'running' || bot.life.failure !== undefined);
    expect(bot.life.failure).toBeUndefined();
    expect(bot.life.state).toBe('running');
  });

  test('are its own also where the receipt is asked of a replica that is behind the list', async () => {
    const calm = await aQuotingBot();
    const { bot, exchange } = calm.world;
    const { control } = exchange;
    control.replicaLag({ lag: BEHIND_MS });
    control.replicaShare({ share: 0 });
    await killBehindNewOrders(calm);
    control.disturb({
      fault: { kind: 'dropResponse' },
      times: Number.POSITIVE_INFINITY,
      matches: ({ path }) => {
        control.replicaShare({ share: path.includes('/v1/requests/') ? 1 : 0 });
        return false;
      },
    });
    bot.start();
    await calm.pass(60_000, () => bot.life.state === 'running' || bot.life.failure !== undefined);
    expect(bot.life.failure).toBeUndefined();
    expect(bot.life.state).toBe('running');
  });

  test('end a start that may be made again where the receipt stays pending', async () => {
    const calm = await aQuotingBot();
    const { bot, exchange } = calm.world;
    exchange.control.durabilityLag({ lag: 600_000 });
    await killBehindNewOrders(calm);
    bot.start();
    await calm.pass(60_000, () => bot.life.failure !== undefined);
    expect(bot.life.failure).toMatchObject({ code: 'PREFLIGHT_RECEIPT_PENDING' });
    expect(exitCodeOf(bot.life.failure)).toBe(EXIT.unreachable);
  });
});
