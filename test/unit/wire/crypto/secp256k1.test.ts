/** @module All secp256k1 back ends behave alike, on good input and on bad. */
import { describe, expect, test } from 'vitest';
import { AssertionError } from '../../../../src/core/index.ts';
import { loadNative } from '../../../../src/wire/crypto/secp256k1/native.ts';
import { nobleSecp256k1 } from '../../../../src/wire/crypto/secp256k1/noble.ts';
import { loadWasm } from '../../../../src/wire/crypto/secp256k1/wasm.ts';
import { CURVE_ORDER, hashOf, scalar } from './support.ts';

const backends = [loadNative(), await loadWasm(), nobleSecp256k1()];
const digests = Array.from({ length: 8 }, (_, i) => hashOf(`digest ${i}`));
const secrets = Array.from({ length: 8 }, (_, i) => hashOf(`secret ${i}`));

describe.each(backends)('$name', (backend) => {
  test('signs, with low s, what verifies and recovers to its key', () => {
    for (const [i, digest] of digests.entries()) {
      const secret = secrets[i] ?? digest;
      const { signature, recovery } = backend.sign(digest, secret);
      const s = BigInt(`0x${Buffer.from(signature.subarray(32)).toString('hex')}`);
      expect(s <= CURVE_ORDER / 2n).toBe(true);
      const publicKey = backend.publicKey(secret);
      expect(publicKey).toHaveLength(65);
      expect(Buffer.from(backend.recover(digest, signature, recovery) ?? [])).toEqual(Buffer.from(publicKey));
      expect(backend.verify(digest, signature, publicKey)).toBe(true);
    }
  });

  test('gives the same bytes as the others, for digests of n and above too', () => {
    const reference = nobleSecp256k1();
    const edges = [CURVE_ORDER - 1n, CURVE_ORDER, CURVE_ORDER + 1n, 2n ** 256n - 1n, 0n].map(scalar);
    for (const [i, digest] of [...digests, ...edges].entries()) {
      const secret = secrets[i % secrets.length] ?? digest;
      const [own, other] = [backend.sign(digest, secret), reference.sign(digest, secret)];
      expect(Buffer.from(own.signature).toString('hex')).toBe(Buffer.from(other.signature).toString('hex'));
      expect(own.recovery).toBe(other.recovery);
    }
  });

  test('does not verify the twin with a high s', () => {
    const [digest, secret] = [hashOf('digest 0'), hashOf('secret 0')];
    const { signature, recovery } = backend.sign(digest, secret);
    const twin = Uint8Array.from(signature);
    twin.set(scalar(CURVE_ORDER - BigInt(`0x${Buffer.from(signature.subarray(32)).toString('hex')}`)), 32);
    expect(backend.verify(digest, twin, backend.publicKey(secret))).toBe(false);
    // Recovery itself is indifferent; the door that refuses the twin is parseSignature.
    expect(Buffer.from(backend.recover(digest, twin, recovery ^ 1) ?? [])).toEqual(
      Buffer.from(backend.publicKey(secret)),
    );
  });

  test('answers undefined or false for r or s out of range and for keys off the curve', () => {
    const digest = hashOf('digest 0');
    const [zero, one, order] = [scalar(0n), scalar(1n), scalar(CURVE_ORDER)];
    const publicKey = backend.publicKey(one);
    for (const [r, s] of [
      [zero, one],
      [one, zero],
      [order, one],
      [one, order],
    ] as const) {
      const signature = new Uint8Array([...r, ...s]);
      expect(backend.recover(digest, signature, 0)).toBeUndefined();
      expect(backend.verify(digest, signature, publicKey)).toBe(false);
    }
    const good = backend.sign(digest, one).signature;
    expect(backend.verify(digest, good, new Uint8Array(65).fill(4))).toBe(false);
    expect(backend.verify(digest, good, new Uint8Array(10))).toBe(false);
    expect(backend.recover(digest, good, 4)).toBeUndefined();
  });

  test('error: throws for secrets out of range', () => {
    for (const secret of [scalar(0n), scalar(CURVE_ORDER), scalar(2n ** 256n - 1n)]) {
      expect(() => backend.publicKey(secret)).toThrow();
      expect(() => backend.sign(hashOf('digest 0'), secret)).toThrow();
    }
  });

  test('error: throws for a digest or a signature of a wrong length', () => {
    const secret = hashOf('secret 0');
    expect(() => backend.sign(new Uint8Array(33), secret)).toThrow(AssertionError);
    expect(() => backend.recover(new Uint8Array(32), new Uint8Array(65), 0)).toThrow(AssertionError);
    expect(() => backend.verify(new Uint8Array(31), new Uint8Array(64), secret)).toThrow(AssertionError);
  });
});
