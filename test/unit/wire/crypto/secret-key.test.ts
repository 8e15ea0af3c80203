/** @module Secret keys are checked on the way in and never printed (exchange.md#signing). */
import { format, inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { ConfigError, secureBytes } from '../../../../src/core/index.ts';
import {
  generateSecretKey,
  loadCrypto,
  parseSecretKey,
  secretKeyOf,
} from '../../../../src/wire/crypto/index.ts';
import { CURVE_ORDER, scalar } from './support.ts';

const crypto = await loadCrypto();
const DIGITS = '4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318';

describe('SecretKey', () => {
  test('is redacted as text, in JSON, under inspection and in what holds it', () => {
    const key = parseSecretKey(crypto, DIGITS);
    const shown = [
      String(key),
      `${key}`,
      JSON.stringify({ key }),
      inspect({ key }, { depth: null, showHidden: true }),
      format('%s %o %j', key, key, key),
      inspect(key, { customInspect: false, showHidden: true, depth: null }),
    ].join('\n');
    expect(shown.toLowerCase()).not.toContain(DIGITS.slice(0, 12));
    expect(shown).not.toMatch(/76, *8, *131/);
    expect(JSON.stringify({ key })).toBe('{"key":"[redacted]"}');
  });

  test('keeps its own copy of the bytes', () => {
    const bytes = scalar(1n);
    const key = secretKeyOf(crypto, bytes);
    bytes.fill(0);
    expect(key.exposeBytes()).toEqual(scalar(1n));
  });
});

describe('parseSecretKey', () => {
  test('reads hex with and without 0x and knows the address', () => {
    const address = '0x2c7536e3605d9c16a7a3d7b1898e529396a65c23';
    expect(parseSecretKey(crypto, DIGITS).address).toBe(address);
    expect(parseSecretKey(crypto, `0x${DIGITS.toUpperCase()}`).address).toBe(address);
  });

  test('accepts 1 and n - 1', () => {
    for (const value of [1n, CURVE_ORDER - 1n]) {
      expect(secretKeyOf(crypto, scalar(value)).exposeBytes()).toEqual(scalar(value));
    }
  });

  test('error: refuses 0, n and above, other lengths and other text, without quoting them', () => {
    const hex = (value: bigint) => Buffer.from(scalar(value)).toString('hex');
    const refused = [
      hex(0n),
      hex(CURVE_ORDER),
      'f'.repeat(64),
      DIGITS.slice(2),
      `${DIGITS}00`,
      `${DIGITS}\n`,
      '',
    ];
    for (const text of refused) {
      const read = () => parseSecretKey(crypto, text);
      expect(read).toThrow(ConfigError);
      if (text !== '') expect(read).not.toThrow(text);
    }
  });
});

describe('generateSecretKey', () => {
  test('makes a new valid key each time', () => {
    const [a, b] = [generateSecretKey(crypto, secureBytes), generateSecretKey(crypto, secureBytes)];
    expect(a.address).not.toBe(b.address);
  });

  test('draws again when a draw is out of range, and gives up on a broken source', () => {
    const draws = [scalar(CURVE_ORDER), scalar(7n)];
    const key = generateSecretKey(crypto, () => draws.shift() ?? scalar(0n));
    expect(key.exposeBytes()).toEqual(scalar(7n));
    expect(() => generateSecretKey(crypto, () => scalar(0n))).toThrow(/source of random bytes is broken/);
  });
});
