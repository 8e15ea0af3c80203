import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { VaultOperation } from '../../../../src/domain/index.ts';
import {
  decodeAccountVaults,
  decodePortfolio,
  decodeVault,
  decodeVaultDepositors,
  decodeVaultNav,
  decodeVaults,
} from '../../../../src/wire/protocol/decode/vaults.ts';
import { decodeWriteAnswer } from '../../../../src/wire/protocol/decode/writes.ts';
import {
  decodeFrame,
  decodeReceipt,
  ENDPOINTS,
  planMainWalletWrite,
  planVaultWrite,
  readWrite,
  takesVaultIdentity,
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

  test('come out exact', () => {
    const { vault, vaults, vaultNav, vaultDepositors, accountVaults, portfolio } = VAULT_ANSWERS;
    expect(decodeVault(text(vault), CONTEXT)).toMatchObject({
      value: {
        id: '9',
        state: 'managed',
        manager: { subaccount: 2 },
        equity: 1_500_000_001n,
        shares: 1_000_000_000n,
        navPerShare: 1_500_000n,
        depositCap: 5_000_000_000n,
        leverageMax: 3,
        depositorCount: 2,
      },
    });
    expect(decodeVaults(text(vaults), CONTEXT)).toMatchObject({
      value: [{ state: 'managed' }, { state: 'fresh', creator: null, manager: null }],
    });
    expect(decodeVaultNav(text(vaultNav), CONTEXT)).toMatchObject({ value: [{ equity: 1_500_000_001n }] });
    expect(decodeVaultDepositors(text(vaultDepositors), CONTEXT)).toMatchObject({
      value: [{ subaccount: 0, shares: 600_000_000n, value: 900_000_000n }],
    });
    expect(decodeAccountVaults(text(accountVaults), CONTEXT)).toMatchObject({
      value: [{ id: '9', netDeposits: -100_000_000n }],
    });
    expect(decodePortfolio(text(portfolio), CONTEXT)).toMatchObject({
      value: [{ accountValue: 1_000_000_000n, pnl: -2_500_000n }],
    });
  });

  test('what an exchange leaves out is null, and an unknown state is none that trades (obligations O14, O55)', () => {
    const bare = { id: 9, name: 'x', state: 'closing', shares: '0' };
    expect(decodeVault(text(bare), CONTEXT)).toEqual({
      ok: true,
      value: {
        id: '9',
        name: 'x',
        state: 'fresh',
        creator: null,
        manager: null,
        equity: null,
        shares: 0n,
        navPerShare: null,
        withdrawable: null,
        depositCap: null,
        leverageMax: null,
        depositorCount: null,
        createdAtMs: null,
      },
    });
  });

  test.each([
    ['shares below zero', { ...VAULT_ANSWERS.vault, shares: '-1' }],
    ['shares too fine', { ...VAULT_ANSWERS.vault, shares: '0.0000001' }],
    ['a manager that is no object', { ...VAULT_ANSWERS.vault, manager: 'x' }],
    ['no name', { ...VAULT_ANSWERS.vault, name: undefined }],
  ])('%s is malformed', (_what, body) => {
    expect(decodeVault(text(body), CONTEXT).ok).toBe(false);
  });

  test('a write and its receipt tell what they did to a vault', () => {
    const body = { requestId: `0x${'ab'.repeat(32)}`, status: 'executed', nonceConsumed: true, items: [] };
    const vault = { id: '9', shares: '1.5', amount: '2' };
    for (const decode of [decodeWriteAnswer, decodeReceipt]) {
      expect(decode(text({ ...body, vault }), CONTEXT)).toMatchObject({
        value: { vault: { id: '9', shares: 1_500_000n, amount: 2_000_000n } },
      });
      expect(decode(text({ ...body, vault: { id: '9' } }), CONTEXT)).toMatchObject({
        value: { vault: { id: '9', shares: null, amount: null } },
      });
      const other = decode(text(body), CONTEXT);
      expect(other.ok && 'vault' in other.value).toBe(false);
    }
  });

  test('a frame of a vault names it', () => {
    const frame = { channel: 'positions', vault: '9', epoch: 'k1-1', isSnapshot: true, seq: 1 };
    expect(decodeFrame(text({ ...frame, data: { positions: [] } }), CONTEXT, NO_BOOKS)).toMatchObject({
      value: { vault: '9', address: undefined },
    });
  });
});
