/** @module What a main wallet signs is the same by viem, which signs for people, and by our own code, which checks it. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fromHex, must, ProtocolError, toHex } from '../../src/core/index.ts';
import type { MainWalletOperation, Nonce } from '../../src/domain/index.ts';
import {
  loadCrypto,
  makeDomain,
  parseTypeString,
  secretKeyOf,
  structHasher,
} from '../../src/wire/crypto/index.ts';
import { createAccountSigner, createMainWalletSigner, digestByViem } from '../../src/wire/gateway/index.ts';
import { STRUCTS } from '../../src/wire/protocol/index.ts';

const crypto = await loadCrypto();
const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const address = bytes(20).map((value) => toHex(value));

/** A value for a field of a struct as the builder of messages makes them. */
function fieldOf(type: string): fc.Arbitrary<unknown> {
  if (type === 'address') return address;
  if (type === 'bool') return fc.boolean();
  if (type === 'string') return fc.string({ unit: 'grapheme', maxLength: 40 });
  if (type === 'bytes32') return bytes(32);
  const bits = Number(must(/^uint([0-9]+)$/.exec(type)?.[1], `a type of the table, got ${type}`));
  const integer = fc.bigInt({ min: 0n, max: 2n ** BigInt(bits) - 1n });
  return bits <= 53 ? integer.map(Number) : integer;
}

const message = fc.constantFrom(...Object.values(STRUCTS)).chain((typeString) => {
  const { primaryType, types } = parseTypeString(typeString);
  const fields = (types[primaryType] ?? []).map(({ name, type }) => [name, fieldOf(type)] as const);
  return fc.record(Object.fromEntries(fields)).map((values) => ({ typeString, values }));
});

/** Domains as gateways report them: also with the chain id as text, and with what viem leaves out on its own. */
const domain = fc.record(
  {
    name: fc.string({ maxLength: 20 }),
    version: fc.string({ maxLength: 5 }),
    chainId: fc.oneof(fc.nat(), fc.nat().map(String), fc.bigInt({ min: 0n, max: 2n ** 64n })),
    verifyingContract: fc.oneof(
      address,
      address.map((text) => `0x${text.slice(2).toUpperCase()}`),
    ),
    salt: bytes(32).map((value) => toHex(value)),
  },
  { requiredKeys: ['name'] },
);

describe('the struct of an operation', () => {
  test('has the same hash and the same digest by viem and by ours', () => {
    fc.assert(
      fc.property(message, domain, (struct, fields) => {
        const own = makeDomain(crypto, fields);
        const structHash = structHasher(crypto, struct.typeString).hash(struct.values);
        const made = digestByViem(own)(struct);
        expect([made.structHash, made.digest].map(toHex)).toEqual(
          [structHash, own.digest(structHash)].map(toHex),
        );
      }),
      { numRuns: 300 },
    );
  });

  test.each<readonly [string, Record<string, unknown>]>([
    ['an integer beyond its width', { account: 2 ** 32 }],
    ['a negative integer', { account: -1 }],
    ['an address with a wrong checksum', { owner: '0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' }],
    ['a lone surrogate', { name: '\ud800' }],
    ['a value that is missing', { name: undefined }],
  ])('error: %s is refused, nothing is signed', (_what, changes) => {
    const typeString = STRUCTS.CreateVault;
    const values = { owner: `0x${'11'.repeat(20)}`, account: 1, name: 'a', nonce: 1n, ...changes };
    const digest = digestByViem(makeDomain(crypto, { name: 'x', chainId: '5' }));
    expect(() => digest({ typeString, values })).toThrow(ProtocolError);
  });
});

test('the account of viem names and signs a grant as our own signer does', async () => {
  const grant = fc.record({
    kind: fc.constant('ApproveAgent' as const),
    account: fc.nat(),
    agent: address,
    validUntilMs: fc.nat(),
  });
  const secret = bytes(31).map((value) => Uint8Array.of(...value, 1));
  await fc.assert(
    fc.asyncProperty(
      grant,
      secret,
      fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
      async (operation, bare, nonce) => {
        const key = secretKeyOf(crypto, bare);
        const options = {
          crypto,
          key,
          domain: makeDomain(crypto, { name: 'x', version: '1', chainId: '31337' }),
        };
        const asked = [fromHex('0x'), nonce as Nonce, operation as MainWalletOperation] as const;
        const own = createMainWalletSigner(options).prepare(...asked);
        const theirs = createAccountSigner(options).prepare(...asked);
        expect([theirs.commandHash, theirs.requestId]).toEqual([own.commandHash, own.requestId]);
        expect(await theirs.sign()).toBe(own.sign());
      },
    ),
    { numRuns: 30 },
  );
});
