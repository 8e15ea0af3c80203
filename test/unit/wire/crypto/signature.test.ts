/** @module The wire form of signatures (exchange.md#signing). */
import { describe, expect, test } from 'vitest';
import { formatSignature, parseSignature } from '../../../../src/wire/crypto/signature.ts';
import { CURVE_ORDER, scalar } from './support.ts';

const bytes = (r: bigint, s: bigint) => new Uint8Array([...scalar(r), ...scalar(s)]);
const text = (r: bigint, s: bigint, v: string) => `0x${Buffer.from(bytes(r, s)).toString('hex')}${v}`;

describe('formatSignature', () => {
  test('writes r, s and v 27 or 28', () => {
    expect(formatSignature({ signature: bytes(1n, 2n), recovery: 0 })).toBe(text(1n, 2n, '1b'));
    expect(formatSignature({ signature: bytes(1n, 2n), recovery: 1 })).toBe(text(1n, 2n, '1c'));
  });

  test('error: refuses recovery ids that have no v', () => {
    expect(() => formatSignature({ signature: bytes(1n, 2n), recovery: 2 })).toThrow(/recovery id of 0 or 1/);
  });
});

describe('parseSignature', () => {
  test('reads what formatSignature writes, in any case', () => {
    const half = CURVE_ORDER / 2n;
    for (const recovery of [0, 1]) {
      const written = formatSignature({ signature: bytes(CURVE_ORDER - 1n, half), recovery });
      expect(parseSignature(written)).toEqual({
        ok: true,
        signature: bytes(CURVE_ORDER - 1n, half),
        recovery,
      });
      expect(parseSignature(`0x${written.slice(2).toUpperCase()}`)).toEqual(parseSignature(written));
    }
  });

  test.each([
    ['text without 0x', text(1n, 1n, '1b').slice(2), 'not 0x and 65 bytes of hex'],
    ['64 bytes', text(1n, 1n, ''), 'not 0x and 65 bytes of hex'],
    ['66 bytes', text(1n, 1n, '1b00'), 'not 0x and 65 bytes of hex'],
    ['no hex', `0x${'g'.repeat(130)}`, 'not 0x and 65 bytes of hex'],
    ['v 0', text(1n, 1n, '00'), 'v is neither 27 nor 28'],
    ['v 1', text(1n, 1n, '01'), 'v is neither 27 nor 28'],
    ['v 29', text(1n, 1n, '1d'), 'v is neither 27 nor 28'],
    ['r 0', text(0n, 1n, '1b'), 'r is 0, or not below the curve order'],
    ['r n', text(CURVE_ORDER, 1n, '1b'), 'r is 0, or not below the curve order'],
    ['s 0', text(1n, 0n, '1b'), 's is 0, or not below the curve order'],
    ['s n', text(1n, CURVE_ORDER, '1b'), 's is 0, or not below the curve order'],
    ['a high s', text(1n, CURVE_ORDER / 2n + 1n, '1b'), 's is in the upper half of the curve order'],
  ])('gives the reason for %s', (_what, signature, reason) => {
    expect(parseSignature(signature)).toEqual({ ok: false, reason });
  });
});
