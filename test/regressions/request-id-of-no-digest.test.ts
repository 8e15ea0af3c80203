/**
 * @module
 * A digest of 31 bytes was completed with the last byte of the one before it: the id of a write that does not exist.
 */
import { expect, test } from 'vitest';
import { loadCrypto } from '../../src/wire/crypto/index.ts';
import { makeRequestIdOf, signerAndDigest } from '../../src/wire/protocol/index.ts';

const crypto = await loadCrypto();
const requestIdOf = makeRequestIdOf(crypto, `0x${'11'.repeat(20)}`);

test.each([0, 1, 20, 31, 33, 52, 64])('a digest of %i bytes is none', (length) => {
  requestIdOf(new Uint8Array(32).fill(7));
  const digest = new Uint8Array(length);
  const message = `expected a digest of 32 bytes, got ${length}`;
  expect(() => requestIdOf(digest)).toThrow(message);
  expect(() => signerAndDigest(crypto, new Uint8Array(20), digest)).toThrow(message);
  const own = makeRequestIdOf(crypto, `0x${'11'.repeat(20)}`, () => '0x00' as never);
  expect(() => own(digest)).toThrow(message);
});

test('a digest of 32 bytes has its id, whatever came before', () => {
  const digest = new Uint8Array(32).fill(3);
  const id = requestIdOf(digest);
  requestIdOf(new Uint8Array(32).fill(9));
  expect(requestIdOf(digest)).toBe(id);
  expect(id).toMatch(/^0x[0-9a-f]{64}$/);
});
