/** @module Typed-data digests and signatures hold for random input; viem, an independent implementation, is the oracle. */
import fc from 'fast-check';
import { getAddress } from 'viem';
import { expect, test } from 'vitest';
import { toHex } from '../../src/core/index.ts';
import { checksumAddress } from '../../src/wire/crypto/address.ts';
import {
  loadCrypto,
  makeDomain,
  parseTypeString,
  secretKeyOf,
  structHasher,
} from '../../src/wire/crypto/index.ts';
import { oracleDigest, ownDigest, type TypedData } from '../support/typed-data-oracle.ts';

const crypto = await loadCrypto();

const hex = (bytes: number) =>
  fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((value) => toHex(value));
const text = fc.string({ unit: 'grapheme', maxLength: 200 });
const sizes = fc.integer({ min: 1, max: 32 });

/** A type and a value of it, as JSON carries it (integers as bigint, which both sides take). */
const elementary: fc.Arbitrary<readonly [type: string, value: unknown]> = fc.oneof(
  hex(20).map((value) => ['address', value] as const),
  fc.boolean().map((value) => ['bool', value] as const),
  text.map((value) => ['string', value] as const),
  fc.uint8Array({ maxLength: 300 }).map((value) => ['bytes', toHex(value)] as const),
  sizes.chain((size) => hex(size).map((value) => [`bytes${size}`, value] as const)),
  sizes.chain((size) =>
    fc
      .bigInt({ min: 0n, max: 2n ** BigInt(8 * size) - 1n })
      .map((value) => [`uint${8 * size}`, value] as const),
  ),
  sizes.chain((size) => {
    const half = 2n ** BigInt(8 * size - 1);
    return fc.bigInt({ min: -half, max: half - 1n }).map((value) => [`int${8 * size}`, value] as const);
  }),
);

const flat = fc.array(elementary, { minLength: 1, maxLength: 8 });

const domain = fc.record(
  {
    name: text,
    version: fc.string({ minLength: 1, maxLength: 10 }),
    chainId: fc.nat(),
    verifyingContract: hex(20),
    salt: hex(32),
  },
  { requiredKeys: ['name'] },
);

function documentOf(members: readonly (readonly [string, unknown])[], outer: TypedData['domain']): TypedData {
  return {
    domain: outer,
    types: { T: members.map(([type], i) => ({ name: `f${i}`, type })) },
    primaryType: 'T',
    message: Object.fromEntries(members.map(([, value], i) => [`f${i}`, value])),
  };
}

test('the digest of any flat struct under any domain equals that of viem', () => {
  fc.assert(
    fc.property(flat, domain, (members, outer) => {
      const document = documentOf(members, outer);
      expect(toHex(ownDigest(crypto, document))).toBe(oracleDigest(document));
    }),
    { numRuns: 300 },
  );
});

test('the digest of nested structs and arrays equals that of viem', () => {
  const inner = fc.tuple(
    flat,
    fc.array(fc.array(fc.bigInt({ min: 0n, max: 255n }), { maxLength: 3 }), { maxLength: 3 }),
  );
  fc.assert(
    fc.property(inner, domain, ([members, matrix], outer) => {
      const leaf = documentOf(members, outer);
      const document: TypedData = {
        domain: outer,
        types: {
          Root: [
            { name: 'one', type: 'T' },
            { name: 'pair', type: 'T[2]' },
            { name: 'many', type: 'T[]' },
            { name: 'matrix', type: 'uint8[][]' },
          ],
          ...leaf.types,
        },
        primaryType: 'Root',
        message: { one: leaf.message, pair: [leaf.message, leaf.message], many: [leaf.message], matrix },
      };
      expect(toHex(ownDigest(crypto, document))).toBe(oracleDigest(document));
    }),
    { numRuns: 100 },
  );
});

test('a reused hasher gives each message the hash a fresh one gives', () => {
  const types = 'T(address a,uint64 b,bytes32 c,bool d,int128 e)';
  const message = fc.record({
    a: hex(20),
    b: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
    c: hex(32),
    d: fc.boolean(),
    e: fc.bigInt({ min: -(2n ** 127n), max: 2n ** 127n - 1n }),
  });
  const reused = structHasher(crypto, types);
  fc.assert(
    fc.property(message, (value) => {
      expect(reused.hash(value)).toEqual(structHasher(crypto, parseTypeString(types)).hash(value));
    }),
  );
});

test('an address has the capital letters that viem gives it', () => {
  fc.assert(
    fc.property(hex(20), (address) => {
      expect(checksumAddress(address)).toBe(getAddress(address));
    }),
  );
});

test('all back ends sign the same bytes, and recover the signer from them', async () => {
  const ladder = await Promise.all(
    (['native', 'wasm', 'noble'] as const).map((secp256k1) => loadCrypto({ secp256k1 })),
  );
  const bytes = fc.uint8Array({ minLength: 32, maxLength: 32 });
  // A first byte below 0xff and a last byte of 1 keep the scalar within 0 < d < n.
  const secrets = bytes.map((value) =>
    Uint8Array.of(value[0] === 255 ? 0 : (value[0] ?? 0), ...value.slice(1, 31), 1),
  );
  const separator = makeDomain(crypto, { name: 'x' });
  fc.assert(
    fc.property(bytes, secrets, (structHash, secret) => {
      const digest = separator.digest(structHash);
      const key = secretKeyOf(crypto, secret);
      const signatures = ladder.map((backend) => backend.sign(digest, key));
      expect(new Set(signatures).size).toBe(1);
      for (const backend of ladder) {
        expect(backend.recoverAddress(digest, signatures[0] ?? '')).toBe(key.address);
      }
    }),
    { numRuns: 60 },
  );
});
