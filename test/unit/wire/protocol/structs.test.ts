import { beforeAll, describe, expect, test } from 'vitest';
import { toHex } from '../../../../src/core/index.ts';
import { type Crypto, loadCrypto, parseTypeString, structHasher } from '../../../../src/wire/crypto/index.ts';
import { encodeOrderIds, encodeOrders } from '../../../../src/wire/protocol/codec/encode.ts';
import { mainWalletMessage, replaceStructs, STRUCTS } from '../../../../src/wire/protocol/index.ts';
import { GOLDEN_COMMANDS } from '../../../support/golden-commands.ts';
import { AGENT, OWNER } from '../../../support/wire-samples.ts';

let crypto: Crypto;
beforeAll(async () => {
  crypto = await loadCrypto();
});

const OPERATIONS = [
  ...GOLDEN_COMMANDS.map(({ name, command }) => ({ name, operation: command })),
  { name: 'cancel_all', operation: { kind: 'CancelAll', account: 7 } },
  { name: 'approve', operation: { kind: 'ApproveAgent', account: 7, agent: AGENT, validUntilMs: 0 } },
  { name: 'revoke', operation: { kind: 'RevokeAgent', account: 7, agent: AGENT } },
  { name: 'subaccount', operation: { kind: 'CreateSubaccount', account: 7 } },
  { name: 'create_vault', operation: { kind: 'CreateVault', account: 7, name: 'Basis trade' } },
  { name: 'claim_vault', operation: { kind: 'ClaimVault', account: 7, vault: 9 } },
  { name: 'deposit_vault', operation: { kind: 'DepositVault', account: 7, vault: 9, amount: 5n } },
  { name: 'redeem_vault', operation: { kind: 'RedeemVault', account: 7, vault: 9, shares: 5n } },
  {
    name: 'configure_vault',
    operation: { kind: 'ConfigureVault', account: 7, vault: 9, depositCap: 5n, leverageMax: 3 },
  },
] as const;

describe('the table of structs', () => {
  test.each(Object.entries(STRUCTS))('%s is canonical and named after its operation', (name, typeString) => {
    const { primaryType, types } = parseTypeString(typeString);
    expect(primaryType).toBe(name);
    expect(types[primaryType]?.at(-1)).toEqual({ name: 'nonce', type: 'uint64' });
  });

  test('known type hashes are those of exchange.md#signing', () => {
    const hashOf = (text: string) => toHex(crypto.keccak256(Buffer.from(text)));
    expect(hashOf(STRUCTS.ApproveAgent)).toBe(
      '0x4be0c297c71a730092cb8f74fbfb96d8dff59b47b5022032e3b3f629bf7457d5',
    );
    expect(hashOf(STRUCTS.RevokeAgent)).toBe(
      '0x8c8885ca789b529bdd1a5f06d354bf684280afd3b3a19b089ffde9fc3ef31b32',
    );
    expect(hashOf(STRUCTS.AgentExec)).toBe(
      '0x0f83508f47d581423d2050927d7cf8f72afee5c38b9a88fbd6bc36fa2608279c',
    );
  });
});

describe('mainWalletMessage', () => {
  test.each(OPERATIONS)('$name has a value for every field of its struct', ({ operation }) => {
    const message = mainWalletMessage(operation, { owner: OWNER, nonce: 3n, hasher: crypto });
    const { types, primaryType } = parseTypeString(message.typeString);
    for (const { name } of types[primaryType] ?? []) expect(message.values[name]).toBeDefined();
    expect(structHasher(crypto, message.typeString).hash(message.values)).toHaveLength(32);
  });

  test('every field changes the hash: no field of a placement is left out', () => {
    const [place] = GOLDEN_COMMANDS.filter(({ name }) => name === 'place_order');
    const operation = place?.command;
    if (operation?.kind !== 'PlaceOrder') throw new Error('vector changed');
    const hashOf = (changes: object, nonce = 1n) => {
      const changed = { ...operation, ...changes };
      const message = mainWalletMessage(changed, { owner: OWNER, nonce, hasher: crypto });
      return toHex(structHasher(crypto, message.typeString).hash(message.values));
    };
    const hashes = [
      hashOf({}),
      hashOf({}, 2n),
      hashOf({ account: 4 }),
      hashOf({ market: 1 }),
      hashOf({ side: 'buy' }),
      hashOf({ price: 50101 }),
      hashOf({ lots: 8n }),
      hashOf({ tif: 'fok' }),
      hashOf({ reduceOnly: false }),
      hashOf({ goodTilMs: 0 }),
      hashOf({ nowMs: 0 }),
      hashOf({ router: 0 }),
      hashOf({ routerFeePpm: 0 }),
    ];
    expect(new Set(hashes).size).toBe(hashes.length);
  });

  test('lists are signed as the hash of their canonical bytes', () => {
    const orders = [{ market: 0, side: 'buy', price: 1, lots: 1n, tif: 'gtc', reduceOnly: false }] as const;
    const cancels = [{ market: 0, orderSeq: 9n }];
    const operation = { kind: 'BatchReplace', account: 7, nowMs: 1, cancels, orders } as const;
    const { values } = mainWalletMessage(operation, { owner: OWNER, nonce: 3n, hasher: crypto });
    expect(values['orders']).toEqual(crypto.keccak256(encodeOrders(orders)));
    expect(values['cancels']).toEqual(crypto.keccak256(encodeOrderIds(cancels)));
  });
});

describe('replaceStructs', () => {
  test('a replaced type string is the one that is signed', () => {
    const typeString = 'CancelAll(uint32 master,address owner,uint64 nonce)';
    const structs = replaceStructs({ CancelAll: typeString });
    const operation = { kind: 'CancelAll', account: 7 } as const;
    const message = mainWalletMessage(operation, { owner: OWNER, nonce: 3n, hasher: crypto, structs });
    expect(message.typeString).toBe(typeString);
    expect(structHasher(crypto, message.typeString).hash(message.values)).toHaveLength(32);
    expect(structs.CancelOrder).toBe(STRUCTS.CancelOrder);
  });

  test.each([
    ['an unknown operation', { Withdraw: 'Withdraw(uint64 nonce)' }],
    ['a field that cannot be filled', { CancelAll: 'CancelAll(address owner,uint64 deadline,uint64 nonce)' }],
    ['a text that is no type string', { CancelAll: 'cancel everything' }],
  ])('error: %s is refused', (_name, replacements) => {
    expect(() => replaceStructs(replacements)).toThrow(
      expect.objectContaining({ code: 'PROTOCOL_STRUCT_INVALID' }),
    );
  });
});
