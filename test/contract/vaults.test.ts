import { describe, expect, test } from 'vitest';
import { quantums, ticks } from '../../src/domain/index.ts';
import { startTestExchange, type TestExchange } from '../support/test-exchange.ts';
import { created, deposit, outcome, redeem, vaultOf, WALLET, winOrLose } from '../support/vault-scene.ts';

/** Cash of every account that can be asked for. */
function cashOf(venue: TestExchange, accounts: readonly number[]): bigint {
  return accounts.reduce((sum, id) => sum + venue.exchange.control.venue.account(id).collateral, 0n);
}

describe('a community vault (GW-VAULTS)', () => {
  test('is managed by its creator from the start and shown in the list', async () => {
    const venue = await startTestExchange();
    expect(venue.get('/v1/vaults').json).toEqual({ vaults: [] });
    const answer = venue.write('/v1/vaults', { name: 'Basis trade' }, WALLET);
    expect(outcome(answer)).toEqual([200, 'executed']);
    const { id } = answer.json.vault;
    const party = { address: venue.address, subaccount: 0 };
    expect(vaultOf(venue, id)).toMatchObject({
      name: 'Basis trade',
      state: 'managed',
      creator: venue.address,
      manager: party,
      shares: '0.000000',
      navPerShare: null,
      depositCap: null,
      leverageMax: null,
      depositorCount: 0,
    });
    expect(venue.get('/v1/vaults').json.vaults).toEqual([vaultOf(venue, id)]);
    expect(vaultOf(venue, id)).toMatchObject({ id, equity: '0.000000', createdAt: venue.nowMs });
  });

  test('its receipt tells its id too', async () => {
    const venue = await startTestExchange();
    const { text, requestId } = venue.signed('/v1/vaults', { name: 'Basis trade' }, WALLET);
    const { vault } = venue.post('/v1/vaults', text).json;
    expect(venue.get(`/v1/requests/${requestId}`).json).toMatchObject({ status: 'executed', vault });
    const again = venue.post('/v1/vaults', text);
    expect(again.json).toMatchObject({ duplicate: true, vault });
    expect(venue.get('/v1/vaults').json.vaults).toHaveLength(1);
  });

  test.each([
    ['none', {}],
    ['an empty one', { name: '' }],
    ['one of 33 characters', { name: 'x'.repeat(33) }],
    ['one with a control character', { name: 'a\nb' }],
    ['one that is no text', { name: 7 }],
    ['another field', { name: 'a', fee: 1 }],
  ])('a name must be printable and short, not %s', async (_what, body) => {
    const venue = await startTestExchange();
    const { text } = venue.signed('/v1/vaults', { name: 'a' }, WALLET);
    const answer = venue.post(
      '/v1/vaults',
      JSON.stringify({ ...JSON.parse(text), name: undefined, ...body }),
    );
    expect(outcome(answer)).toEqual([400, 'InvalidRequest']);
  });

  test('a wallet creates a hundred and no more', async () => {
    const venue = await startTestExchange();
    for (let i = 0; i < 100; i++) created(venue, `vault ${i}`);
    const one = venue.write('/v1/vaults', { name: 'one too many' }, WALLET);
    expect(outcome(one)).toEqual([422, 'VaultLimitExceeded']);
  });
});

describe('a fresh vault', () => {
  test('is claimed once, by an account whose wallets then trade for it (obligation O55)', async () => {
    const venue = await startTestExchange();
    const id = venue.exchange.control.freshVault({ name: 'Seeded by the operator' }).vault;
    expect(vaultOf(venue, id)).toMatchObject({ state: 'fresh', creator: null, manager: null });
    expect(outcome(venue.write('/v1/orders/cancel-all', {}, { ...WALLET, vault: id }))).toEqual([
      403,
      'Forbidden',
    ]);
    venue.forgetNonces();
    const claimed = venue.write(`/v1/vaults/${id}/claim`, {}, WALLET);
    expect(claimed.json).toMatchObject({ status: 'executed', vault: { id } });
    expect(vaultOf(venue, id).manager).toEqual({ address: venue.address, subaccount: 0 });
    expect(outcome(venue.write('/v1/orders/cancel-all', {}, { ...WALLET, vault: id }))).toEqual([
      200,
      'executed',
    ]);
    const other = venue.another();
    const late = other.write(`/v1/vaults/${id}/claim`, {}, WALLET);
    expect(outcome(late)).toEqual([422, 'VaultAlreadyManaged']);
    expect(late.json.error.details.nonceConsumed).toBe(true);
  });

  test('nobody configures the operator’s', async () => {
    const venue = await startTestExchange();
    const id = venue.exchange.control.freshVault({ name: 'Seeded by the operator' }).vault;
    venue.write(`/v1/vaults/${id}/claim`, {}, WALLET);
    const body = { depositCap: null, leverageMax: 2 };
    expect(outcome(venue.write(`/v1/vaults/${id}/config`, body, WALLET))).toEqual([403, 'Forbidden']);
  });
});

describe('deposits and redemptions (obligation O54)', () => {
  test('mint and burn shares by the equity, through both ledgers', async () => {
    const venue = await startTestExchange();
    const id = created(venue);
    const first = deposit(venue, id, '1000');
    expect(first.json.vault).toEqual({ id, shares: '1000.000000', amount: '1000.000000' });
    winOrLose(venue, id, 1_500_000);
    const { equity } = vaultOf(venue, id);
    expect(equity).toBe('1499.500000');
    const friend = venue.another();
    const second = deposit(friend, id, '100.000001');
    expect(second.json.vault.shares).toBe('66.688896');
    const read = vaultOf(venue, id);
    expect(read).toMatchObject({ shares: '1066.688896', equity: '1599.500001', depositorCount: 2 });
    expect(read.navPerShare).toBe('1.499500');
    const out = redeem(friend, id, '66.688896');
    expect(out.json.vault).toEqual({ id, shares: '66.688896', amount: '99.999999' });
    const kinds = (who: string) =>
      venue
        .get(`/v1/account/ledger?${who}`)
        .json.data.map((entry: { kind: string; amount: string }) => [entry.kind, entry.amount]);
    expect(kinds(`address=${friend.address}`)).toEqual([
      ['deposit', '1000000.000000'],
      ['vault_deposit', '-100.000001'],
      ['vault_redeem', '99.999999'],
    ]);
    expect(kinds(`vault=${id}`).slice(-2)).toEqual([
      ['vault_deposit', '100.000001'],
      ['vault_redeem', '-99.999999'],
    ]);
    expect(out.json.vault).toEqual({ id, shares: '66.688896', amount: '99.999999' });
  });

  test('positions and depositors tell the same shares, the largest first', async () => {
    const venue = await startTestExchange();
    const friend = venue.another();
    const id = created(venue);
    deposit(venue, id, '10');
    deposit(friend, id, '30');
    redeem(friend, id, '10');
    const own = venue.get(`/v1/account/vaults?address=${friend.address}`).json;
    expect(own.vaults).toEqual([
      { id, name: 'Basis trade', shares: '20.000000', value: '20.000000', netDeposits: '20.000000' },
    ]);
    const listed = venue.get(`/v1/vaults/${id}/depositors`).json;
    expect(listed.depositors).toEqual([
      { address: friend.address, subaccount: 0, shares: '20.000000', value: '20.000000' },
      { address: venue.address, subaccount: 0, shares: '10.000000', value: '10.000000' },
    ]);
    expect(venue.get(`/v1/vaults/${id}/depositors?limit=1`).json.depositors).toHaveLength(1);
    redeem(friend, id, '20');
    expect(venue.get(`/v1/account/vaults?address=${friend.address}`).json.vaults).toEqual([]);
    expect(venue.get(`/v1/account/vaults?vault=${id}`).json.vaults).toEqual([]);
  });

  test('are refused above what is there, with the nonce spent', async () => {
    const venue = await startTestExchange();
    const id = created(venue);
    expect(outcome(deposit(venue, id, '1000000.000001'))).toEqual([422, 'InsufficientWithdrawable']);
    expect(outcome(redeem(venue, id, '1'))).toEqual([422, 'InsufficientShares']);
    deposit(venue, id, '1000');
    expect(outcome(redeem(venue, id, '1000.000001'))).toEqual([422, 'InsufficientShares']);
    winOrLose(venue, id, 1_000_000);
    const locked = redeem(venue, id, '1000');
    expect(outcome(locked)).toEqual([422, 'InsufficientWithdrawable']);
    expect(locked.json.error.details.nonceConsumed).toBe(true);
    expect(outcome(redeem(venue, id, '900'))).toEqual([200, 'executed']);
  });

  test('are refused where they are worth nothing, or where the vault is', async () => {
    const venue = await startTestExchange();
    const id = created(venue);
    deposit(venue, id, '1000');
    winOrLose(venue, id, 2_500_000);
    expect(outcome(deposit(venue, id, '0.000001'))).toEqual([422, 'AmountTooSmall']);
    venue.exchange.control.price({ symbol: 'BTC-USD', price: ticks(500_000) });
    expect(outcome(redeem(venue, id, '0.000001'))).toEqual([422, 'AmountTooSmall']);
    venue.exchange.control.price({ symbol: 'BTC-USD', price: ticks(1_000) });
    expect(vaultOf(venue, id).navPerShare).toBe('0.000500');
    const small = created(venue, 'small');
    deposit(venue, small, '100');
    venue.exchange.control.price({ symbol: 'BTC-USD', price: ticks(1_000_000) });
    winOrLose(venue, small, 500_000);
    expect(vaultOf(venue, small).equity).toBe('-400.500000');
    expect(outcome(deposit(venue, small, '1000'))).toEqual([422, 'NegativeEquity']);
    expect(outcome(redeem(venue, small, '1'))).toEqual([422, 'NegativeEquity']);
  });

  test.each([
    ['no decimal text', '1e3', 'InvalidRequest'],
    ['zero', '0', 'InvalidRequest'],
    ['negative', '-1', 'InvalidRequest'],
    ['too fine', '0.0000001', 'InvalidPrecision'],
    ['beyond 64 bits', '18446744073709.551616', 'InvalidRequest'],
  ])('an amount that is %s is 400', async (_what, amount, code) => {
    const venue = await startTestExchange();
    const id = created(venue);
    const { text } = venue.signed(`/v1/vaults/${id}/deposit`, { amount: '1' }, WALLET);
    const body = JSON.stringify({ ...JSON.parse(text), amount });
    expect(outcome(venue.post(`/v1/vaults/${id}/deposit`, body))).toEqual([400, code]);
  });

  test('carry the participant’s own signature: no API wallet’s, nobody else’s, no vault’s', async () => {
    const venue = await startTestExchange();
    const other = venue.another();
    const id = created(venue);
    const path = `/v1/vaults/${id}/deposit`;
    const { text } = venue.signed(path, { amount: '5' }, WALLET);
    const { signature, ...rest } = JSON.parse(text);
    const asAgent = JSON.stringify({ ...rest, signature, signer: venue.agent });
    expect(outcome(venue.post(path, asAgent))).toEqual([403, 'AgentScopeViolation']);
    const ofOther = text.replace(venue.address, other.address);
    expect(outcome(venue.post(path, ofOther))).toEqual([401, 'GatewayBadSignature']);
    const asVault = JSON.stringify({ ...rest, signature, vault: id });
    expect(outcome(venue.post(path, asVault))).toEqual([403, 'VaultScopeViolation']);
    const anotherVault = created(other);
    expect(outcome(venue.post(`/v1/vaults/${anotherVault}/deposit`, text))).toEqual([
      401,
      'GatewayBadSignature',
    ]);
    expect(outcome(venue.post(path, text))).toEqual([200, 'executed']);
  });

  test('no unit of money appears or disappears', async () => {
    const venue = await startTestExchange();
    const friend = venue.another();
    const id = created(venue);
    const accounts = [venue.account.accountId, friend.account.accountId, Number(id)];
    const before = cashOf(venue, accounts);
    deposit(venue, id, '333.333333');
    deposit(friend, id, '0.000007');
    redeem(venue, id, '111.111111');
    redeem(friend, id, '0.000003');
    expect(cashOf(venue, accounts)).toBe(before);
    for (const account of accounts) {
      const selector =
        account === Number(id)
          ? `vault=${id}`
          : `address=${account === venue.account.accountId ? venue.address : friend.address}`;
      const { data } = venue.get(`/v1/account/ledger?${selector}`).json;
      const sum = data.reduce(
        (total: bigint, entry: { amount: string }) => total + BigInt(entry.amount.replace('.', '')),
        0n,
      );
      expect(quantums(sum)).toBe(venue.exchange.control.venue.account(account).collateral);
    }
  });

  test('of a subaccount are its own', async () => {
    const venue = await startTestExchange();
    venue.write('/v1/account/subaccounts', {}, WALLET);
    venue.exchange.control.fund({ account: venue.address, amount: quantums(50_000_000n), subaccount: 1 });
    const id = created(venue);
    const paid = venue.write(`/v1/vaults/${id}/deposit`, { amount: '20' }, { ...WALLET, subaccount: 1 });
    expect(paid.json.status).toBe('executed');
    expect(venue.get(`/v1/account/vaults?address=${venue.address}`).json.vaults).toEqual([]);
    expect(venue.get(`/v1/account/vaults?address=${venue.address}&subaccount=1`).json.vaults).toHaveLength(1);
    expect(venue.get(`/v1/vaults/${id}/depositors`).json.depositors[0].subaccount).toBe(1);
  });
});

describe('configuration', () => {
  test('is the creator’s alone: a deposit cap and a leverage', async () => {
    const venue = await startTestExchange();
    const id = created(venue);
    const body = { depositCap: '150', leverageMax: 2 };
    const foreign = venue.another().write(`/v1/vaults/${id}/config`, body, WALLET);
    expect(outcome(foreign)).toEqual([403, 'Forbidden']);
    expect(venue.write(`/v1/vaults/${id}/config`, body, WALLET).json.vault).toEqual({ id });
    expect(vaultOf(venue, id)).toMatchObject({ depositCap: '150.000000', leverageMax: 2 });
    expect(outcome(deposit(venue, id, '150.000001'))).toEqual([422, 'DepositCapExceeded']);
    expect(outcome(deposit(venue, id, '150'))).toEqual([200, 'executed']);
    expect(outcome(deposit(venue, id, '0.000001'))).toEqual([422, 'DepositCapExceeded']);
    venue.write(`/v1/vaults/${id}/config`, { depositCap: null, leverageMax: null }, WALLET);
    expect(vaultOf(venue, id)).toMatchObject({ depositCap: null, leverageMax: null });
    expect(outcome(deposit(venue, id, '1000'))).toEqual([200, 'executed']);
  });

  test('holds the vault to its leverage in every market', async () => {
    const venue = await startTestExchange();
    const id = created(venue);
    deposit(venue, id, '1000');
    venue.write(`/v1/vaults/${id}/config`, { depositCap: null, leverageMax: 2 }, WALLET);
    const leverage = (value: number) =>
      outcome(venue.write('/v1/account/leverage', { symbol: 'BTC-USD', leverage: value }, { vault: id }));
    expect(leverage(3)).toEqual([422, 'VaultLeverageExceeded']);
    expect(leverage(2)).toEqual([200, 'executed']);
    const buy = (size: string) => outcome(venue.place([{ price: '90000.0', size }], { vault: id }));
    expect(buy('0.0300')).toEqual([422, 'InsufficientMargin']);
    expect(buy('0.0150')).toEqual([200, 'executed']);
  });

  test('a leverage that the vault’s positions do not bear changes nothing', async () => {
    const venue = await startTestExchange();
    const id = created(venue);
    deposit(venue, id, '1000');
    winOrLose(venue, id, 1_000_000);
    venue.place([{ price: '99000.0', size: '0.0300' }], { vault: id });
    const body = { depositCap: '5', leverageMax: 1 };
    expect(outcome(venue.write(`/v1/vaults/${id}/config`, body, WALLET))).toEqual([
      422,
      'InsufficientMargin',
    ]);
    expect(vaultOf(venue, id)).toMatchObject({ depositCap: null, leverageMax: null });
    expect(outcome(venue.place([{ price: '98000.0', size: '0.0100' }], { vault: id }))).toEqual([
      200,
      'executed',
    ]);
  });

  test.each([
    ['a field left out', { leverageMax: 2 }],
    ['a cap of zero', { depositCap: '0', leverageMax: 2 }],
    ['a leverage of zero', { depositCap: null, leverageMax: 0 }],
    ['a leverage that is no integer', { depositCap: null, leverageMax: 1.5 }],
  ])('%s is 400', async (_what, body) => {
    const venue = await startTestExchange();
    const id = created(venue);
    const good = { depositCap: null, leverageMax: null };
    const { text } = venue.signed(`/v1/vaults/${id}/config`, good, WALLET);
    const { depositCap: _cap, leverageMax: _leverage, ...rest } = JSON.parse(text);
    const answer = venue.post(`/v1/vaults/${id}/config`, JSON.stringify({ ...rest, ...body }));
    expect(outcome(answer)).toEqual([400, 'InvalidRequest']);
  });
});
