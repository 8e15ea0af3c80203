import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { looksLikeKey, maskKeys, secrets } from '../../../src/core/index.ts';

const KEY = `0x${'ab'.repeat(31)}cd`;
const BYTES = Buffer.from(KEY.slice(2), 'hex');
/** Keys that another test has not made known. */
const LATER = `0x${'34'.repeat(32)}`;
const MISPLACED = `0x${'5c'.repeat(32)}`;
const HASH = `0x${'12'.repeat(32)}`;

describe('secrets', () => {
  secrets.add(KEY);

  test.each([
    ['with 0x', KEY],
    ['without 0x', KEY.slice(2)],
    ['upper case', KEY.slice(2).toUpperCase()],
    ['upper case with 0X', KEY.toUpperCase()],
    ['base64', BYTES.toString('base64')],
    ['base64url', BYTES.toString('base64url')],
    ['decimal', BigInt(KEY).toString()],
    ['bytes', [...BYTES].join(',')],
  ])('removes a key written %s', (_form, text) => {
    expect(secrets.scrub(`before ${text} after`)).toBe('before [redacted] after');
  });

  test('removes a key from what is inspected', () => {
    expect(secrets.scrub(inspect(BYTES))).toBe('<Buffer [redacted]>');
  });

  test('removes a key that was loaded in decimal form, and one whose first digits are zeros', () => {
    secrets.add(BigInt(LATER).toString());
    secrets.add(`0x${'0'.repeat(4)}${'9a'.repeat(30)}`);
    expect(secrets.scrub(`a ${LATER} b ${'9a'.repeat(30)}`)).toBe('a [redacted] b [redacted]');
  });

  test('removes a password as JSON has it', () => {
    secrets.add('a "quoted" word');
    expect(secrets.scrub(JSON.stringify({ a: 'a "quoted" word' }))).toBe('{"a":"[redacted]"}');
  });

  test('leaves other hexadecimal text alone', () => {
    expect(secrets.scrub(HASH)).toBe(HASH);
  });

  test('ignores a secret that is too short to be one', () => {
    secrets.add('a.b');
    expect(secrets.scrub('a.b axb')).toBe('a.b axb');
  });

  test('remembers what looks like a key in a wrong place, and only that', () => {
    secrets.addMisplaced(`keys approve ${MISPLACED} 0x${'ab'.repeat(20)}`);
    expect(secrets.scrub(`got ${BigInt(MISPLACED)} and ${HASH} and 0x${'ab'.repeat(20)}`)).toBe(
      `got [this looks like a private key] and ${HASH} and 0x${'ab'.repeat(20)}`,
    );
  });
});

test.each([KEY, KEY.slice(2), KEY.toUpperCase(), BigInt(KEY).toString(), `./keys/${KEY}`])(
  'maskKeys hides %s',
  (text) => {
    expect(looksLikeKey(text)).toBe(true);
    expect(maskKeys(text)).toMatch(/^(?:\.\/keys\/)?\[this looks like a private key\]$/);
  },
);

test('an address is no key', () => {
  expect(looksLikeKey(`0x${'ab'.repeat(20)}`)).toBe(false);
});
