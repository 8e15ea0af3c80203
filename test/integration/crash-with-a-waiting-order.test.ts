/**
 * @module
 * A bot that is killed while the outcome of an order outside the book is not known to it: the next life finds the truth by the
 * receipts of the journal's writes. Nothing is placed twice, nothing is left, and what was traded is its strategy's.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseConfig } from '../../src/config/index.ts';
import { aCalmWorld, type CalmWorld } from '../support/calm-world.ts';

const FILE = join(import.meta.dirname, '..', 'simulation', 'configs', 'calm.yaml');
const PLACED = { twap: 'TwapPlaced', conditional: 'ConditionalPlaced', tpsl: 'ConditionalPlaced' } as const;
const PATH = { twap: '/v1/orders/twap', conditional: '/v1/orders', tpsl: '/v1/positions/tpsl' } as const;
/** Orders of the write: a take-profit and a stop-loss are two. */
const ORDERS = { twap: 1, conditional: 1, tpsl: 2 } as const;
type Kind = keyof typeof PLACED;

/** Halts at orders of others: what it finds at its start must be proven to be its own. */
async function aWorldOf(kind: Kind): Promise<CalmWorld & { placed(): number }> {
  const strategies = `strategies:
  - name: asks-once
    module: ../strategies/asks-once.ts
    markets: [BTC-USD]
    parameters: { kind: ${kind}, size: 0.006 }

`;
  const yaml = readFileSync(FILE, 'utf8')
    .replace('orphanOrders: cancel', 'orphanOrders: halt')
    .replace(/strategies:[\s\S]*?(?=^risk:)/m, strategies)
    .replace('risk:', 'risk:\n  postOnly: false');
  const calm = await aCalmWorld(
    { settings: { blockMs: 200, replicaLagMs: 1 }, subaccount: 0 },
    parseConfig(yaml, FILE),
  );
  let count = 0;
  calm.world.exchange.control.watch(({ events }) => {
    for (const event of events)
      if (event.kind === PLACED[kind] && event.order.account === calm.world.account.accountId) count++;
  });
  return { ...calm, placed: () => count };
}

describe.each(['twap', 'conditional', 'tpsl'] as const)(
  'a bot that dies with a %s order on its way',
  (kind) => {
    test.each([
      ['that has arrived, without an answer', 'dropResponse', 1],
      ['that has never arrived', 'dropRequest', 0],
    ] as const)('%s', async (_what, fault, writes) => {
      const arrived = writes * ORDERS[kind];
      const { world, pass, placed } = await aWorldOf(kind);
      const { bot, exchange, account } = world;
      const waiting = () => exchange.control.venue.waitingOrders(account.accountId);
      let isCut = false;
      exchange.control.disturb({
        fault: { kind: fault },
        matches: ({ path }) => {
          const isIt = path.split('?')[0] === PATH[kind];
          isCut ||= isIt;
          return isIt;
        },
      });
      bot.start();
      await pass(60_000, () => isCut);
      expect(isCut).toBe(true);
      // What has arrived is carried out with the next block; the bot hears of it by its stream alone, or not at all.
      bot.kill('crash');
      await pass(2_000);
      expect(placed()).toBe(arrived);
      expect(waiting()).toHaveLength(arrived);
      const tradedLots = () => exchange.control.venue.positions(account.accountId)[0]?.lots ?? 0;

      bot.start();
      await pass(60_000, () => bot.life.state === 'running' || bot.life.failure !== undefined);
      expect(bot.life.failure).toBeUndefined();
      await pass(20_000);
      expect(placed()).toBe(arrived);
      expect(waiting()).toEqual([]);
      const view = bot.life.view();
      expect(view).toMatchObject({ account: 'synced', unresolved: 0, openOrders: [] });
      expect(view?.positions['BTC-USD'] ?? 0).toBe(tradedLots());
      expect(view?.owned['asks-once']?.['BTC-USD'] ?? 0).toBe(tradedLots());
    });
  },
);
