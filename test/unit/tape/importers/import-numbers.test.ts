/** @module Recorded texts to exact numbers: decimals with exponents, times in all units. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { plainDecimal, printedDecimalsOf } from '../../../../src/tape/importers/plain-decimal.ts';
import { secondsToUs, timeToUs } from '../../../../src/tape/importers/times.ts';

const place = { file: 'a.csv', line: 2 };

describe('plainDecimal', () => {
  test.each([
    ['1e-05', '0.00001'],
    ['1.5E-2', '0.015'],
    ['-2.50e1', '-25.0'],
    ['3e3', '3000'],
    ['12.34e1', '123.4'],
    ['0.5', '0.5'],
    ['abc', 'abc'],
  ])('%s is %s', (text, plain) => {
    expect(plainDecimal(text)).toBe(plain);
  });

  test('is the same number for whatever prints with an exponent', () => {
    const printed = fc.double({ noNaN: true, noDefaultInfinity: true, min: 1e-12, max: 1e25 });
    fc.assert(
      fc.property(printed, (value) => {
        const text = plainDecimal(value.toExponential());
        expect(text).not.toMatch(/e/i);
        expect(Number(text)).toBe(value);
      }),
    );
  });
});

describe('decimalsOf', () => {
  test.each([
    ['109755.0', 0],
    ['0.10', 1],
    ['1e-05', 5],
    ['7', 0],
    ['x.123', 0],
  ])('%s has %i', (text, decimals) => {
    expect(printedDecimalsOf(text)).toBe(decimals);
  });
});

describe('times', () => {
  test('seconds with a fraction never pass through a binary fraction', () => {
    expect(secondsToUs(place, '1757015216.8747032')).toBe(1757015216874703);
    expect(secondsToUs(place, '1625097621.647')).toBe(1625097621647000);
    expect(secondsToUs(place, '34200')).toBe(34200000000);
    expect(() => secondsToUs(place, '1e9')).toThrow(/expected a time in seconds at a.csv:2, got "1e9"/);
  });

  test.each([
    ['1700000000', 1700000000000000],
    ['1700000000.5', 1700000000500000],
    ['1700000000123', 1700000000123000],
    ['1700000000123456', 1700000000123456],
    ['1700000000123456789', 1700000000123456],
  ])('tells the unit of %s by its digits', (text, us) => {
    expect(timeToUs(place, text, 'auto')).toBe(us);
  });

  test('takes small numbers only where the unit is said', () => {
    expect(timeToUs(place, '1500', 'ms')).toBe(1_500_000);
    expect(timeToUs(place, '1500', 'us')).toBe(1_500);
    expect(timeToUs(place, '1500', 'ns')).toBe(1);
    expect(() => timeToUs(place, '1500', 'auto')).toThrow(/10, 13, 16 or 19 digits/);
    expect(() => timeToUs(place, '-1', 'ms')).toThrow(/a time in ms/);
  });
});
