/**
 * The client for people sent TWAPs, take-profits and grants for a vault, for the exchange to refuse: the identity of a
 * vault is good for six operations, and nothing else may leave with it (openapi.yaml; obligation O40).
 */
import { expect, test } from 'vitest';
import type { Client } from '../../src/client/index.ts';
import { startPeopleClient } from '../support/people-client.ts';

const TWAP = { symbol: 'BTC-USD', side: 'buy', size: '0.01', slices: 2, intervalMs: 1_000 } as const;
const PAIR = {
  symbol: 'BTC-USD',
  closeSide: 'sell',
  stopLoss: { triggerPrice: '80000', price: '79000' },
} as const;
const address = '0x00000000000000000000000000000000000000a1';

test.each<[string, (client: Client, vault: string) => Promise<unknown>]>([
  ['a TWAP', ({ orders }, vault) => orders.twap({ ...TWAP, priceTolerancePpm: 1_000, vault })],
  ['a take-profit and stop-loss', ({ orders }, vault) => orders.tpsl({ ...PAIR, vault })],
  ['an approval', ({ apiWallets }, vault) => apiWallets.approve({ address, validUntil: 0, vault })],
  ['a revocation', ({ apiWallets }, vault) => apiWallets.revoke({ address, vault })],
])('error: %s for a vault is refused before anything is sent', async (_what, write) => {
  const { client, now, error, wire } = await startPeopleClient();
  const { vault } = await now(client.vaults.create({ name: 'Basis trade' }));
  const id = vault?.id ?? '';
  const sent = wire.posts().length;
  expect(await error(write(client, id))).toMatchObject({ code: 'CLIENT_VAULT_SCOPE', effect: 'none' });
  expect(wire.posts()).toHaveLength(sent);
  // What a vault may do still goes.
  const far = { symbol: 'BTC-USD', side: 'buy', price: '90000', size: '0.0100' } as const;
  const trigger = { ...far, triggerPrice: '91000', triggerAbove: false, vault: id };
  await now(client.vaults.deposit({ id, amount: '10000' }));
  await now(client.orders.trigger(trigger));
  await client.close();
});
