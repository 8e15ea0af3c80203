/** Vaults, waiting orders and builders through the client for people, on the embedded exchange. */
import { describe, expect, test } from 'vitest';
import { identityOf, type PeopleClient, startPeopleClient } from '../support/people-client.ts';
import { bodyOf } from './wire.ts';

const FAR = { symbol: 'BTC-USD', side: 'buy', price: '90000', size: '0.0100' } as const;

/** A vault with money that the main wallet's account manages. */
async function withVault(people: PeopleClient): Promise<string> {
  const { client, now } = people;
  const { vault } = await now(client.vaults.create({ name: 'Basis trade' }));
  const id = vault?.id ?? '';
  await now(client.vaults.deposit({ id, amount: '10000' }));
  return id;
}

describe('vaults', () => {
  test('are created, paid into, configured and redeemed by a participant', async () => {
    const people = await startPeopleClient();
    const { client, now, venue } = people;
    const id = await withVault(people);
    const vault = await now(client.vaults.get({ id }));
    expect(vault).toMatchObject({
      name: 'Basis trade',
      state: 'managed',
      manager: { address: venue.address },
    });
    expect(vault.equity?.equals('10000')).toBe(true);
    await now(client.vaults.configure({ id, depositCap: '20000', leverageMax: 3 }));
    const [held] = await now(client.account.vaults());
    expect(held).toMatchObject({ id });
    const shares = held?.shares ?? '0';
    const redeemed = await now(client.vaults.redeem({ id, shares }));
    expect(redeemed.vault?.amount?.equals('10000')).toBe(true);
    expect((await now(client.vaults.nav({ id }))).length).toBeGreaterThan(0);
    expect(await now(client.vaults.depositors({ id }))).toEqual([]);
    expect(await now(client.vaults.list())).toHaveLength(1);
    await client.close();
  });

  test.each(['wallet', 0] as const)('are traded for by the manager, signed by %s', async (by) => {
    const people = await startPeopleClient();
    const id = await withVault(people);
    const { venue } = people;
    const identity = identityOf(venue, by);
    const { client, now, wire } = people.another({
      ...identity,
      account: { address: venue.address, vault: id },
    });
    const { items } = await now(client.orders.place(FAR));
    expect(items[0]).toMatchObject({ state: 'accepted' });
    expect(await now(client.account.orders())).toHaveLength(1);
    expect(await now(people.client.account.orders())).toEqual([]);
    const body = bodyOf(wire.posts('/v1/orders')[0]!);
    expect(body).toMatchObject({ account: venue.address, vault: id });
    expect(body['subaccount']).toBeUndefined();
    await now(client.account.setLeverage({ symbol: 'BTC-USD', leverage: 2 }));
    expect((await now(client.orders.cancelAll())).items).toHaveLength(1);
    const heard = await now(client.streams.orders({}, () => undefined));
    await now(heard.ready);
    await client.close();
    await people.client.close();
  });

  test('a fresh one is claimed, and the claimant manages it', async () => {
    const { client, now, error, venue } = await startPeopleClient();
    const id = venue.exchange.control.freshVault({ name: 'Fresh' }).vault;
    expect(await now(client.vaults.get({ id }))).toMatchObject({ state: 'fresh', manager: null });
    await now(client.vaults.claim({ id }));
    const { state, manager } = await now(client.vaults.get({ id }));
    expect([state, manager?.address]).toEqual(['managed', venue.address]);
    expect(await error(client.vaults.claim({ id }))).toMatchObject({
      code: 'VaultAlreadyManaged',
      effect: 'none',
    });
    await client.close();
  });

  test('error: an API wallet does not deal in vaults', async () => {
    const { client, error } = await startPeopleClient({ by: 0 });
    expect(await error(client.vaults.create({ name: 'x' }))).toMatchObject({
      code: 'CLIENT_MAIN_WALLET_NEEDED',
    });
    await client.close();
  });
});

describe.each(['wallet', 0] as const)('orders that wait, signed by %s', (by) => {
  test('wait for the index price, are seen with their kind and canceled by number', async () => {
    const { client, now } = await startPeopleClient({ by });
    await now(client.orders.trigger({ ...FAR, triggerPrice: '91000', triggerAbove: false }));
    await now(
      client.orders.twap({
        ...{ symbol: 'BTC-USD', side: 'buy', size: '0.02' },
        ...{ slices: 2, intervalMs: 60_000, priceTolerancePpm: 1_000 },
      }),
    );
    const parent = await now(client.orders.place(FAR));
    await now(
      client.orders.tpsl({
        symbol: 'BTC-USD',
        closeSide: 'sell',
        size: '0.01',
        takeProfit: { triggerPrice: '150000', price: '149000' },
        stopLoss: { triggerPrice: '80000', price: '79000' },
        parentOrderId: parent.items[0]?.orderId,
      }),
    );
    const open = await now(client.account.orders());
    expect(open.map(({ kind }) => kind ?? 'plain').sort()).toEqual([
      ...['conditional', 'plain', 'stopLoss', 'takeProfit', 'twap'],
    ]);
    const twap = open.find(({ kind }) => kind === 'twap');
    expect(twap?.twap).toMatchObject({ slices: 2, priceTolerancePpm: 1_000 });
    const { items } = await now(client.orders.cancel({ symbol: 'BTC-USD', orderId: twap?.orderId ?? '' }));
    expect(items[0]?.state).toBe('canceled');
    await now(client.orders.cancelAll());
    expect(await now(client.account.orders())).toEqual([]);
    await client.close();
  });
});

test.each([
  ['no leg', {}, 'CLIENT_ITEMS_MISSING'],
  [
    'a parent without a size',
    { takeProfit: { triggerPrice: '1', price: '1' }, parentOrderId: '7' },
    'CLIENT_ITEMS_MISSING',
  ],
  ['a side that is none', { closeSide: 'short' as never }, 'CLIENT_FIELD_INVALID'],
])('error: a pair with %s is refused before it is sent', async (_what, change, code) => {
  const { client, error, wire } = await startPeopleClient();
  const thrown = await error(client.orders.tpsl({ symbol: 'BTC-USD', closeSide: 'sell', ...change }));
  expect(thrown).toMatchObject({ code, effect: 'none' });
  expect(wire.posts()).toEqual([]);
  await client.close();
});
