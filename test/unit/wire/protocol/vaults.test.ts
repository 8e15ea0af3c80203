import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { VaultOperation } from '../../../../src/domain/index.ts';
import {
  ACCOUNT_VAULTS,
  decodeAnswer,
  decodeFrame,
  ENDPOINTS,
  OUTCOME,
  type PeopleSchema,
  PORTFOLIO,
  planMainWalletWrite,
  planVaultWrite,
  readWrite,
  takesVaultIdentity,
  VAULT_DEPOSITORS,
  VAULT_NAV,
  VAULT as VAULT_SCHEMA,
  VAULTS,
  vaultNumber,
} from '../../../../src/wire/protocol/index.ts';
import { VAULT_LEVERAGE_MAX } from '../../../../src/wire/protocol/limits.ts';
import { VAULT_ANSWERS } from '../../../support/vault-samples.ts';
import { CONTEXT, NO_BOOKS } from './support.ts';

const ACCOUNT = CONTEXT.signingAccountId;
const U64 = fc.bigInt({ min: 1n, max: (1n << 64n) - 1n });
const VAULT = fc.integer({ min: 1, max: 0xffff_ffff });

/** Any operation of a participant. */
const OPERATION: fc.Arbitrary<VaultOperation> = fc.oneof(
  fc
    .string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 32 })
    .map((name): VaultOperation => ({ kind: 'CreateVault', account: ACCOUNT, name })),
  fc
    .tuple(VAULT, U64)
    .map(([vault, amount]): VaultOperation => ({ kind: 'DepositVault', account: ACCOUNT, vault, amount })),
  fc
    .tuple(VAULT, U64)
    .map(([vault, shares]): VaultOperation => ({ kind: 'RedeemVault', account: ACCOUNT, vault, shares })),
  VAULT.map((vault): VaultOperation => ({ kind: 'ClaimVault', account: ACCOUNT, vault })),
  fc.tuple(VAULT, fc.oneof(fc.constant(0n), U64), fc.integer({ min: 0, max: VAULT_LEVERAGE_MAX })).map(
    ([vault, depositCap, leverageMax]): VaultOperation => ({
      kind: 'ConfigureVault',
      account: ACCOUNT,
      vault,
      depositCap,
      leverageMax,
    }),
  ),
);

describe('writes of vaults', () => {
  test('what is read is what was planned, in any number of decimals', () => {
    fc.assert(
      fc.property(OPERATION, fc.integer({ min: 0, max: 18 }), (operation, collateralDecimals) => {
        const { path, body } = planVaultWrite(operation, collateralDecimals);
        const read = readWrite(path, JSON.parse(JSON.stringify(body)), { ...CONTEXT, collateralDecimals });
        expect(read).toEqual({ canonical: operation, clientOrderIds: [] });
      }),
    );
  });

  test('without decimals amounts are those of USDC (obligation O9)', () => {
    const operation = { kind: 'DepositVault', account: 7, vault: 9, amount: 1_500_000n } as const;
    expect(planMainWalletWrite(operation)).toEqual({
      path: '/v1/vaults/9/deposit',
      canonical: operation,
      body: { amount: '1.500000' },
    });
    expect(planMainWalletWrite(operation, 2).body).toEqual({ amount: '15000.00' });
  });

  test.each([
    ['a body that is none', '/v1/vaults/9/claim', null, 'InvalidRequest'],
    ['a field too many', '/v1/vaults/9/claim', { vault: 9 }, 'InvalidRequest'],
    ['a number as amount', '/v1/vaults/9/deposit', { amount: 1 }, 'InvalidRequest'],
    ['a name that breaks the line', '/v1/vaults', { name: 'a\u0085b' }, 'InvalidRequest'],
    ['half a character', '/v1/vaults', { name: '\ud800' }, 'InvalidRequest'],
    ['an id with a sign', '/v1/vaults/-9/claim', {}, 'NotFound'],
    ['an id of 33 bits', '/v1/vaults/4294967296/claim', {}, 'NotFound'],
    ['no operation at all', '/v1/vaults/9/close', {}, 'OperationUnsupported'],
  ])('%s is refused', (_what, path, body, code) => {
    expect(readWrite(path, body, CONTEXT)).toMatchObject({ problem: { code } });
  });

  test('the vault identity is for six operations (obligation O40)', () => {
    const paths = ENDPOINTS.filter(({ method, path }) => method === 'POST' && takesVaultIdentity(path));
    expect(paths.map(({ id }) => id).sort()).toEqual([
      'cancelAll',
      'cancelOrders',
      'placeOrders',
      'replaceOrders',
      'scheduleCancel',
      'setLeverage',
    ]);
  });

  test('an id is the number of an account, or of no vault', () => {
    expect(['1', '4294967295'].map(vaultNumber)).toEqual([1, 4_294_967_295]);
    for (const id of ['', '0', '01', '1.0', ' 1', '4294967296', '99999999999', 'x'])
      expect(vaultNumber(id)).toBeUndefined();
  });
});

describe('answers about vaults', () => {
  const text = (value: unknown) => JSON.stringify(value);

  /** What people read, Decimals as their text. */
  function read(schema: PeopleSchema<unknown>, body: unknown): unknown {
    const decoded = decodeAnswer(schema, text(body));
    return decoded.ok ? JSON.parse(text(decoded.value)) : decoded.error.message;
  }

  test('come out exact', () => {
    const { vault, vaults, vaultNav, vaultDepositors, accountVaults, portfolio } = VAULT_ANSWERS;
    expect(read(VAULT_SCHEMA, vault)).toMatchObject({
      id: '9',
      state: 'managed',
      manager: { subaccount: 2 },
      equity: '1500.000001',
      shares: '1000',
      navPerShare: '1.5',
      depositCap: '5000',
      leverageMax: 3,
      depositorCount: 2,
    });
    expect(read(VAULTS, vaults)).toMatchObject({
      vaults: [{ state: 'managed' }, { state: 'fresh', creator: null, manager: null }],
    });
    expect(read(VAULT_NAV, vaultNav)).toMatchObject({ points: [{ equity: '1500.000001' }] });
    expect(read(VAULT_DEPOSITORS, vaultDepositors)).toMatchObject({
      depositors: [{ subaccount: 0, shares: '600', value: '900' }],
    });
    expect(read(ACCOUNT_VAULTS, accountVaults)).toMatchObject({ vaults: [{ id: '9', netDeposits: '-100' }] });
    expect(read(PORTFOLIO, portfolio)).toMatchObject({ points: [{ accountValue: '1000', pnl: '-2.5' }] });
  });

  test('what an exchange leaves out is null or absent, never zero (obligation O14)', () => {
    const bare = { id: 9, name: 'x', state: 'closing', shares: '0' };
    expect(read(VAULT_SCHEMA, bare)).toEqual({
      id: '9',
      name: 'x',
      state: 'closing',
      creator: null,
      manager: null,
      shares: '0',
      navPerShare: null,
      depositCap: null,
      leverageMax: null,
    });
  });

  test.each([
    ['shares that are no decimal', { ...VAULT_ANSWERS.vault, shares: '1e3' }, 'answer.shares'],
    ['a manager that is no object', { ...VAULT_ANSWERS.vault, manager: 'x' }, 'answer.manager'],
    ['no name', { ...VAULT_ANSWERS.vault, name: undefined }, 'answer.name'],
  ])('%s is malformed', (_what, body, place) => {
    expect(read(VAULT_SCHEMA, body)).toContain(place);
  });

  test('a write and its receipt tell what they did to a vault', () => {
    const body = { requestId: `0x${'ab'.repeat(32)}`, status: 'executed', nonceConsumed: true, items: [] };
    const vault = { id: '9', shares: '1.5', amount: '2' };
    expect(read(OUTCOME, { ...body, vault })).toMatchObject({ vault });
    expect(read(OUTCOME, { ...body, vault: { id: '9' } })).toMatchObject({ vault: { id: '9' } });
    expect(read(OUTCOME, body)).not.toHaveProperty('vault');
  });

  test('a frame of a vault names it', () => {
    const frame = { channel: 'positions', vault: '9', epoch: 'k1-1', isSnapshot: true, seq: 1 };
    expect(decodeFrame(text({ ...frame, data: { positions: [] } }), CONTEXT, NO_BOOKS)).toMatchObject({
      value: { vault: '9', address: undefined },
    });
  });
});
