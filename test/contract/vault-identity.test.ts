import { describe, expect, test } from 'vitest';
import { quantums } from '../../src/domain/index.ts';
import { anOrder, startTestExchange } from '../support/test-exchange.ts';
import { created, deposit, outcome, vaultOf, WALLET } from '../support/vault-scene.ts';

describe('the vault as identity', () => {
  test('a main wallet signs with the vault’s own nonce and number (obligations O24, O33)', async () => {
    const venue = await startTestExchange();
    const id = created(venue);
    deposit(venue, id, '1000');
    const own = venue.get(`/v1/account/nonce?address=${venue.address}`).json;
    const vaults = venue.get(`/v1/account/nonce?vault=${id}`).json;
    expect(vaults).toEqual({ nonce: 0, signingAccountId: Number(id), scope: `account:${id}` });
    expect(own.nonce).toBeGreaterThan(0);
    const placed = venue.place([{}], { ...WALLET, vault: id });
    expect(placed.json.status).toBe('executed');
    expect(venue.get(`/v1/account/nonce?vault=${id}`).json.nonce).toBe(1);
    expect(venue.get(`/v1/account/nonce?address=${venue.address}`).json.nonce).toBe(own.nonce);
    const withOwnNonce = venue.place([{}], { ...WALLET, vault: id, nonce: BigInt(own.nonce) });
    expect(outcome(withOwnNonce)).toEqual([409, 'NonceMismatch']);
    expect(withOwnNonce.json.error.details.nonceScope).toBe(`account:${id}`);
  });

  test('an API wallet counts in its own scope, whatever it writes for (obligation O24)', async () => {
    const venue = await startTestExchange();
    const id = created(venue);
    deposit(venue, id, '1000');
    venue.place([{}]);
    expect(venue.place([{}], { vault: id }).json.status).toBe('executed');
    const asked = venue.get(`/v1/account/nonce?vault=${id}&signer=${venue.agent}`).json;
    expect(asked).toEqual({ nonce: 2, signingAccountId: Number(id), scope: `agent:${venue.agent}` });
  });

  test('an API wallet must be approved on the account that claimed the vault (obligation O53)', async () => {
    const venue = await startTestExchange();
    const { control } = venue.exchange;
    const id = control.freshVault({ name: 'Seeded' }).vault;
    venue.write('/v1/account/subaccounts', {}, WALLET);
    control.fund({ account: venue.address, amount: quantums(1_000_000n), subaccount: 1 });
    venue.write(`/v1/vaults/${id}/claim`, {}, { ...WALLET, subaccount: 1 });
    expect(vaultOf(venue, id).manager).toEqual({ address: venue.address, subaccount: 1 });
    const cancelAll = () => outcome(venue.write('/v1/orders/cancel-all', {}, { vault: id }));
    expect(cancelAll()).toEqual([403, 'UnknownAgent']);
    venue.forgetNonces();
    control.approve({ account: venue.address, agent: venue.agent, subaccount: 1 });
    expect(cancelAll()).toEqual([200, 'executed']);
    const listed = venue.get(`/v1/account/agents?vault=${id}`).json;
    expect(listed.agents.map(({ address }: { address: string }) => address)).toEqual([venue.agent]);
    control.revoke({ account: venue.address, agent: venue.agent, subaccount: 1 });
    expect(cancelAll()).toEqual([403, 'UnknownAgent']);
  });

  test('account is the manager’s main wallet (obligation O39)', async () => {
    const venue = await startTestExchange();
    const other = venue.another();
    const id = created(venue);
    expect(outcome(other.write('/v1/orders/cancel-all', {}, { ...WALLET, vault: id }))).toEqual([
      403,
      'Forbidden',
    ]);
    expect(outcome(other.write('/v1/orders/cancel-all', {}, { vault: id }))).toEqual([403, 'Forbidden']);
    expect(venue.get(`/v1/account/nonce?vault=${id}`).json.nonce).toBe(0);
  });

  test.each([0, 'wallet'] as const)('the six operations work, signed by %s (obligation O40)', async (by) => {
    const venue = await startTestExchange();
    const vault = created(venue);
    deposit(venue, vault, '10000');
    const as = { by, vault };
    const placed = venue.place([{}, { price: '89000.0' }], as).json;
    expect(placed.batchStatus).toBe('ok');
    const [first, second] = placed.items;
    const ref = (item: { orderId: string }) => ({ symbol: 'BTC-USD', orderId: item.orderId });
    expect(venue.write('/v1/orders/cancel', { orders: [ref(first)] }, as).json.items[0].state).toBe(
      'canceled',
    );
    const replaced = venue.write(
      '/v1/orders/replace',
      { cancels: [ref(second)], orders: [anOrder({ price: '88000.0' })], nowMs: venue.nowMs },
      as,
    );
    expect(replaced.json.batchStatus).toBe('ok');
    const leverage = { symbol: 'BTC-USD', leverage: 5 };
    expect(venue.write('/v1/account/leverage', leverage, as).json.status).toBe('executed');
    const arm = { triggerMs: venue.nowMs + 60_000, nowMs: venue.nowMs };
    expect(venue.write('/v1/orders/schedule-cancel', arm, as).json.status).toBe('executed');
    expect(venue.get(`/v1/account/orders?vault=${vault}`).json.orders).toHaveLength(1);
    expect(venue.write('/v1/orders/cancel-all', {}, as).json.status).toBe('executed');
    expect(venue.get(`/v1/account/orders?vault=${vault}`).json.orders).toEqual([]);
  });

  test.each([
    '/v1/orders/twap',
    '/v1/positions/tpsl',
    '/v1/account/subaccounts',
    '/v1/account/agents/approve',
    '/v1/account/agents/revoke',
    '/v1/vaults',
    '/v1/vaults/ID/deposit',
    '/v1/vaults/ID/redeem',
    '/v1/vaults/ID/claim',
    '/v1/vaults/ID/config',
  ])('%s is refused with the vault identity (obligation O40)', async (template) => {
    const venue = await startTestExchange();
    const vault = created(venue);
    const { text } = venue.signed('/v1/orders/cancel-all', {}, { ...WALLET, vault });
    expect(outcome(venue.post(template.replace('ID', vault), text))).toEqual([403, 'VaultScopeViolation']);
    expect(venue.get(`/v1/account/nonce?vault=${vault}`).json.nonce).toBe(0);
  });

  test('its orders and its switch are its own, not its manager’s', async () => {
    const venue = await startTestExchange();
    const vault = created(venue);
    deposit(venue, vault, '10000');
    venue.place([{}]);
    venue.place([{}], { vault });
    venue.write('/v1/orders/cancel-all', {}, { vault });
    expect(venue.get(`/v1/account/orders?address=${venue.address}`).json.orders).toHaveLength(1);
    venue.place([{}], { vault });
    const arm = { triggerMs: venue.nowMs + 1_000, nowMs: venue.nowMs };
    venue.write('/v1/orders/schedule-cancel', arm, { vault });
    venue.blocks(11);
    expect(venue.get(`/v1/account/orders?vault=${vault}`).json.orders).toEqual([]);
    expect(venue.get(`/v1/account/orders?address=${venue.address}`).json.orders).toHaveLength(1);
  });

  test('a cancel-all that reaches all accounts of a wallet does not reach its vaults (ambiguity A19)', async () => {
    const venue = await startTestExchange({ quirks: { A19: 'wallet' } });
    const vault = created(venue);
    venue.write('/v1/account/subaccounts', {}, WALLET);
    venue.exchange.control.fund({ account: venue.address, amount: quantums(10_000_000_000n), subaccount: 1 });
    deposit(venue, vault, '10000');
    venue.place([{}], { vault });
    venue.place([{}], { ...WALLET, subaccount: 1 });
    const open = (whose: string) => venue.get(`/v1/account/orders?${whose}`).json.orders.length;
    venue.write('/v1/orders/cancel-all', {}, WALLET);
    expect([open(`address=${venue.address}&subaccount=1`), open(`vault=${vault}`)]).toEqual([0, 1]);
    venue.place([{}]);
    venue.write('/v1/orders/cancel-all', {}, { vault });
    expect([open(`address=${venue.address}`), open(`vault=${vault}`)]).toEqual([1, 0]);
  });

  test.each(['kept', 'lost'] as const)('its switch is %s in a restart (ambiguity A14)', async (A14) => {
    const venue = await startTestExchange({ quirks: { A14 } });
    const vault = created(venue);
    deposit(venue, vault, '10000');
    venue.place([{}], { vault });
    const arm = { triggerMs: venue.nowMs + 5_000, nowMs: venue.nowMs };
    venue.write('/v1/orders/schedule-cancel', arm, { vault });
    venue.exchange.control.restart({ down: 1_000 });
    venue.clock.advance(7_000);
    const { orders } = venue.get(`/v1/account/orders?vault=${vault}`).json;
    expect(orders).toHaveLength(A14 === 'kept' ? 0 : 1);
  });

  test('a subaccount beside it is 400, a vault that does not exist 404 (obligation O38)', async () => {
    const venue = await startTestExchange();
    const vault = created(venue);
    const { text } = venue.signed('/v1/orders/cancel-all', {}, { ...WALLET, vault });
    const both = text.replace('{', '{"subaccount":0,');
    expect(outcome(venue.post('/v1/orders/cancel-all', both))).toEqual([400, 'InvalidRequest']);
    for (const id of ['999', String(venue.account.accountId), 'x', '4294967297'])
      expect(
        outcome(venue.post('/v1/orders/cancel-all', text.replace(`"vault":"${vault}"`, `"vault":"${id}"`))),
      ).toEqual([404, 'NotFound']);
    const deposited = venue.signed('/v1/vaults/999/deposit', { amount: '1' }, WALLET).text;
    for (const id of ['999', 'x', '0'])
      expect(outcome(venue.post(`/v1/vaults/${id}/deposit`, deposited))).toEqual([404, 'NotFound']);
  });
});
