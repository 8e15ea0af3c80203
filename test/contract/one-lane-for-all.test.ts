/**
 * @module
 * Time-weighted orders, take-profits, leverage and new subaccounts go the way of every order: one lane, one nonce after the
 * other, and an outcome that is proven when their answer is lost (obligations O83; faults F4, F6).
 */
import { describe, expect, test } from 'vitest';
import type { Client } from '../../src/client/index.ts';
import { type PeopleClient, startPeopleClient } from '../support/people-client.ts';
import { bodyOf } from './wire.ts';

interface Operation {
  readonly what: string;
  readonly by: 'wallet' | 0;
  readonly path: string;
  send(client: Client, parentOrderId: string): Promise<unknown>;
}

const PARENT = { symbol: 'BTC-USD', side: 'buy', price: '90000', size: '0.0100' } as const;
const OPERATIONS: readonly Operation[] = [
  {
    what: 'a time-weighted order',
    by: 0,
    path: '/v1/orders/twap',
    send: (client) =>
      client.orders.twap({
        ...{ symbol: 'BTC-USD', side: 'buy', size: '0.0100', slices: 10 },
        ...{ intervalMs: 600_000, priceTolerancePpm: 5_000 },
      }),
  },
  {
    what: 'a take-profit',
    by: 0,
    path: '/v1/positions/tpsl',
    send: (client, parentOrderId) =>
      client.orders.tpsl({
        ...{ symbol: 'BTC-USD', closeSide: 'sell', size: '0.01', parentOrderId },
        takeProfit: { triggerPrice: '150000', price: '149000' },
      }),
  },
  {
    what: 'leverage',
    by: 0,
    path: '/v1/account/leverage',
    send: (client) => client.account.setLeverage({ symbol: 'BTC-USD', leverage: 5 }),
  },
  {
    what: 'a subaccount',
    by: 'wallet',
    path: '/v1/account/subaccounts',
    send: (client) => client.account.createSubaccount(),
  },
];

/** A client with an order that rests, whose writes are disturbed from now on. */
async function begin(by: 'wallet' | 0): Promise<PeopleClient & { readonly parentOrderId: string }> {
  const scene = await startPeopleClient({ by, client: { resolveWithinMs: 20_000 } });
  const { items } = await scene.now(scene.client.orders.place(PARENT));
  return { ...scene, parentOrderId: items[0]?.orderId ?? '' };
}

/** Nonces as they left, counted from the first one. */
function noncesOf({ wire }: PeopleClient): readonly number[] {
  const nonces = wire.posts().map((request) => Number(bodyOf(request)['nonce']));
  return nonces.map((nonce) => nonce - (nonces[0] ?? 0));
}

describe.each(OPERATIONS)('$what', ({ by, path, send }) => {
  test('is sent once and proven by its receipt when its answer is lost', async () => {
    const scene = await begin(by);
    const { client, now, wire, parentOrderId } = scene;
    wire.disturb = async (request, pass) => {
      const reply = await pass();
      return request.path === path ? { kind: 'lost', why: 'cut' } : reply;
    };
    expect(await now(send(client, parentOrderId))).toMatchObject({ proof: 'receipt' });
    expect(wire.posts(path)).toHaveLength(1);
    await now(client.orders.cancelAll());
    expect(noncesOf(scene)).toEqual([0, 1, 2]);
    await client.close();
  });

  test('is closed by a fence for its nonce when it never arrived, and changes nothing', async () => {
    const scene = await begin(by);
    const { client, now, error, wire, parentOrderId } = scene;
    wire.disturb = async (request, pass) =>
      request.path === path ? { kind: 'lost', why: 'cut' } : await pass();
    const thrown = await error(send(client, parentOrderId));
    expect(thrown).toMatchObject({ code: 'conflict', effect: 'none' });
    expect(wire.posts(path)).toHaveLength(1);
    expect((await now(client.orders.cancelAll())).proof).toBe('answer');
    expect(noncesOf(scene)).toEqual([0, 1, 1, 2]);
    expect(await now(client.account.subaccounts())).toHaveLength(1);
    await client.close();
  });
});
