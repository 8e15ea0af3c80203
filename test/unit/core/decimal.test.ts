import { describe, expect, test } from 'vitest';
import {
  Decimal,
  formatScaled,
  formatShort,
  isDecimalText,
  parseScaled,
  parseScaledNumber,
} from '../../../src/core/index.ts';

describe('parseScaled', () => {
  test.each([
    ['1.50', 2, 150n],
    ['1.5', 2, 150n],
    ['0', 6, 0n],
    ['-0.000001', 6, -1n],
    ['12345678901234567.12345678', 8, 1234567890123456712345678n],
    ['1.2300', 2, 123n],
  ])('reads %s with %i decimals exactly', (text, decimals, value) => {
    expect(parseScaled(text, decimals)).toBe(value);
  });

  test.each([
    '',
    '.',
    '1.',
    '.5',
    '+1',
    '1e3',
    '0x10',
    '1_000',
    '01',
    'NaN',
    'Infinity',
    ' 1',
    '1,5',
    '--1',
    '1.2.3',
    '９',
  ])('refuses %j', (text) => {
    expect(parseScaled(text, 4)).toBeUndefined();
    expect(parseScaledNumber(text, 4)).toBeNaN();
  });

  test('refuses digits that the scale cannot hold instead of rounding', () => {
    expect(parseScaled('0.123', 2)).toBeUndefined();
    expect(parseScaledNumber('0.123', 2)).toBeNaN();
  });

  test('refuses text that is longer than any number', () => {
    expect(isDecimalText('1'.repeat(81))).toBe(false);
  });
});

describe('parseScaledNumber', () => {
  test('stops where a number would lose digits', () => {
    expect(parseScaledNumber('9007199254740991', 0)).toBe(Number.MAX_SAFE_INTEGER);
    expect(parseScaledNumber('9007199254740992', 0)).toBeNaN();
    expect(parseScaledNumber('9007199254.740992', 6)).toBeNaN();
  });
});

describe('formatScaled', () => {
  test.each([
    [150n, 2, '1.50'],
    [-1n, 6, '-0.000001'],
    [0, 3, '0.000'],
    [12, 0, '12'],
  ])('writes %s with %i decimals', (value, decimals, text) => {
    expect(formatScaled(value, decimals)).toBe(text);
  });
});

describe('formatShort', () => {
  test.each([
    [150n, 2, '1.5'],
    [-10, 4, '-0.001'],
    [0n, 6, '0'],
    [-0, 4, '0'],
    [-1_000_000n, 6, '-1'],
    [120, 0, '120'],
    [1_000, 2, '10'],
  ])('writes %s of %i decimals without zeros at its end', (value, decimals, text) => {
    expect(formatShort(value, decimals)).toBe(text);
  });
});

describe('Decimal', () => {
  test('keeps a hundred digits and writes no exponents', () => {
    expect(new Decimal('12345678901234567.12345678').plus(0).toString()).toBe('12345678901234567.12345678');
    expect(new Decimal('1e-20').toString()).toBe('0.00000000000000000001');
  });
});
