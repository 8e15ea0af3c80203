/** @module The ladder of back ends: choice, reasons, refusals. */
import { describe, expect, test } from 'vitest';
import { ConfigError } from '../../../../src/core/index.ts';
import { loadCrypto, secretKeyOf } from '../../../../src/wire/crypto/index.ts';
import { type Keccak, loadWasmKeccak, nobleKeccak } from '../../../../src/wire/crypto/keccak.ts';
import { type Ladder, loadCryptoFrom } from '../../../../src/wire/crypto/load.ts';
import type { Secp256k1 } from '../../../../src/wire/crypto/secp256k1/backend.ts';
import { nobleSecp256k1 } from '../../../../src/wire/crypto/secp256k1/noble.ts';
import { loadWasm } from '../../../../src/wire/crypto/secp256k1/wasm.ts';

const missing = (name: string) => (): never => {
  throw new Error(`Cannot find package '${name}'\n  required from somewhere`);
};

const bareLadder: Ladder = {
  secp256k1: { native: missing('secp256k1'), wasm: missing('tiny-secp256k1'), noble: nobleSecp256k1 },
  keccak: { wasm: missing('hash-wasm'), noble: nobleKeccak },
};

describe('loadCrypto', () => {
  for (const secp256k1 of ['native', 'wasm', 'noble'] as const) {
    for (const keccak of ['wasm', 'noble'] as const) {
      test(`names itself ${secp256k1}+${keccak}-keccak when these are asked for`, async () => {
        const crypto = await loadCrypto({ secp256k1, keccak });
        expect(crypto.signer).toBe(`${secp256k1}+${keccak}-keccak`);
        expect(crypto.skipped).toEqual([]);
      });
    }
  }

  test('takes the fastest back ends on its own', async () => {
    const crypto = await loadCrypto();
    const skipped = crypto.skipped.map(({ kind, name }) => `${kind} ${name}`);
    expect(['native', 'wasm', 'noble'].filter((name) => !skipped.includes(`secp256k1 ${name}`))[0]).toBe(
      crypto.secp256k1.name,
    );
  });
});

describe('loadCryptoFrom', () => {
  test('falls back to plain JavaScript and says why for each one passed over', async () => {
    const crypto = await loadCryptoFrom(bareLadder, {});
    expect(crypto.signer).toBe('noble+noble-keccak');
    expect(crypto.skipped).toEqual([
      { kind: 'secp256k1', name: 'native', reason: "Cannot find package 'secp256k1'" },
      { kind: 'secp256k1', name: 'wasm', reason: "Cannot find package 'tiny-secp256k1'" },
      { kind: 'keccak', name: 'wasm', reason: "Cannot find package 'hash-wasm'" },
    ]);
  });

  test('takes WASM when only the native back end is missing', async () => {
    const ladder = { ...bareLadder, secp256k1: { ...bareLadder.secp256k1, wasm: loadWasm } };
    expect((await loadCryptoFrom(ladder, {})).signer).toBe('wasm+noble-keccak');
  });

  test('error: refuses to start when a back end asked for by name is missing', async () => {
    const refusal = loadCryptoFrom(bareLadder, { secp256k1: 'native' });
    await expect(refusal).rejects.toThrow(ConfigError);
    await expect(refusal).rejects.toThrow(/secp256k1 back end native .*Cannot find package 'secp256k1'/);
    await expect(loadCryptoFrom(bareLadder, { keccak: 'wasm' })).rejects.toThrow(/keccak back end wasm/);
  });

  test('passes over a curve that signs other bytes, and refuses it when asked for by name', async () => {
    const honest = nobleSecp256k1();
    const biased: Secp256k1 = {
      ...honest,
      name: 'native',
      sign: (digest, secret) => honest.sign(digest.toReversed(), secret),
    };
    const ladder = { ...bareLadder, secp256k1: { ...bareLadder.secp256k1, native: () => biased } };
    const crypto = await loadCryptoFrom(ladder, {});
    expect(crypto.secp256k1.name).toBe('noble');
    expect(crypto.skipped[0]?.reason).toBe(
      'failed its self-test: signs other bytes than RFC 6979, vector 1 of 4',
    );
    await expect(loadCryptoFrom(ladder, { secp256k1: 'native' })).rejects.toThrow(/self-test/);
  });

  for (const [what, broken] of [
    ['recovers another key', { recover: () => new Uint8Array(65) }],
    ['recovers nothing', { recover: () => undefined }],
    ['verifies everything', { verify: () => true }],
    ['verifies nothing', { verify: () => false }],
  ] as const satisfies readonly (readonly [string, Partial<Secp256k1>])[]) {
    test(`passes over a curve that ${what}`, async () => {
      const ladder = {
        ...bareLadder,
        secp256k1: { ...bareLadder.secp256k1, native: () => ({ ...nobleSecp256k1(), ...broken }) },
      };
      expect((await loadCryptoFrom(ladder, {})).skipped[0]?.reason).toMatch(/^failed its self-test/);
    });
  }

  test('passes over a hash that is wrong only beyond one block', async () => {
    const honest = nobleKeccak();
    const short: Keccak = { name: 'wasm', keccak256: (bytes) => honest.keccak256(bytes.subarray(0, 136)) };
    const ladder = { ...bareLadder, keccak: { ...bareLadder.keccak, wasm: () => short } };
    const crypto = await loadCryptoFrom(ladder, {});
    expect(crypto.skipped.at(-1)?.reason).toBe('failed its self-test: gives another hash for 200 bytes');
  });

  test('serves two callers of one WASM hash without mixing their bytes', async () => {
    const keccak = await loadWasmKeccak();
    const first = keccak.keccak256(Uint8Array.of(1));
    const again = Uint8Array.from(first);
    keccak.keccak256(Uint8Array.of(2));
    expect(first).toEqual(again);
  });
});

describe('Crypto', () => {
  test('signs and recovers its own address', async () => {
    const crypto = await loadCrypto();
    const key = secretKeyOf(crypto, new Uint8Array(32).fill(0x11));
    const digest = crypto.keccak256(Uint8Array.of(1, 2, 3));
    const signature = crypto.sign(digest, key);
    expect(crypto.recoverAddress(digest, signature)).toBe('0x19e7e376e7c213b7e7e7e46cc70a5dd086daff2a');
    expect(crypto.recoverAddress(digest.toReversed(), signature)).not.toBe(key.address);
  });

  test('answers undefined for a signature that is malformed or belongs to no key', async () => {
    const crypto = await loadCrypto();
    const digest = new Uint8Array(32);
    expect(crypto.recoverAddress(digest, 'hello')).toBeUndefined();
    // r = 5 is the abscissa of no point of the curve.
    const noPoint = `0x${'5'.padStart(64, '0')}${'1'.padStart(64, '0')}1b`;
    expect(crypto.recoverAddress(digest, noPoint)).toBeUndefined();
  });

  test('error: refuses to sign what is not 32 bytes', async () => {
    const crypto = await loadCrypto();
    const key = secretKeyOf(crypto, new Uint8Array(32).fill(0x11));
    expect(() => crypto.sign(new Uint8Array(31), key)).toThrow(/digest of 32 bytes/);
  });
});
