import { beforeAll, describe, expect, test } from 'vitest';
import { seededRandom } from '../../../src/core/index.ts';
import { type Crypto, generateSecretKey, loadCrypto } from '../../../src/wire/crypto/index.ts';
import { parseSignature } from '../../../src/wire/crypto/signature.ts';
import { keyedCrypto } from '../../simulation/keyed-crypto.ts';

let real: Crypto;
let keyed: Crypto;
const random = seededRandom('keyed');
const bytes = (count: number): Uint8Array => Uint8Array.from({ length: count }, () => random.integer(0, 255));

beforeAll(async () => {
  real = await loadCrypto();
  keyed = keyedCrypto(real);
});

describe('keyed signatures', () => {
  test('have the form of real ones, are the same twice, and name the address of the real key', () => {
    for (let i = 0; i < 200; i++) {
      const key = generateSecretKey(keyed, bytes);
      const digest = bytes(32);
      const signature = keyed.sign(digest, key);
      expect(parseSignature(signature)).toMatchObject({ ok: true });
      expect(keyed.sign(digest, key)).toBe(signature);
      expect(keyed.recoverAddress(digest, signature)).toBe(key.address);
      expect(real.addressOf(key.exposeBytes())).toBe(key.address);
    }
  });

  test('are wrong over other bytes, of another key, and when a character differs', () => {
    const key = generateSecretKey(keyed, bytes);
    const other = generateSecretKey(keyed, bytes);
    const digest = bytes(32);
    const signature = keyed.sign(digest, key);
    expect(keyed.recoverAddress(bytes(32), signature)).toBeUndefined();
    expect(keyed.sign(digest, other)).not.toBe(signature);
    for (let at = 2; at < 130; at += 7) {
      const turned = signature[at] === '1' ? '2' : '1';
      const wrong = signature.slice(0, at) + turned + signature.slice(at + 1);
      expect(keyed.recoverAddress(digest, wrong)).not.toBe(key.address);
    }
    expect(keyed.recoverAddress(digest, 'not a signature')).toBeUndefined();
  });

  test('of a key that never signed in this world are nobody’s', () => {
    const digest = bytes(32);
    const signature = keyedCrypto(real).sign(digest, generateSecretKey(real, bytes));
    expect(keyed.recoverAddress(digest, signature)).toBeUndefined();
  });
});
