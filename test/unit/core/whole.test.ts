/** @module Whole numbers as numbers where these are exact: the same results as big integers have, whatever the size. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  largerOf,
  minus,
  plus,
  shareDown,
  shareUp,
  times,
  type Whole,
  whole,
} from '../../../src/core/index.ts';

const SAFE = BigInt(Number.MAX_SAFE_INTEGER);
/** Sizes of every kind, and those around the last exact number. */
const anyValue = fc.oneof(
  fc.bigInt({ min: -1_000n, max: 1_000n }),
  fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }),
  fc.bigInt({ min: SAFE - 5n, max: SAFE + 5n }),
  fc.bigInt({ min: -SAFE - 5n, max: -SAFE + 5n }),
);
const positive = anyValue.map((value) => (value < 0n ? -value : value));
const rate = fc.oneof(fc.integer({ min: 0, max: 1_000_000 }), fc.integer({ min: 0, max: 2 ** 40 }));

/** In the one form that the value has. */
function expectWhole(is: Whole, expected: bigint): void {
  expect(is).toBe(whole(expected));
  expect(typeof is).toBe(expected >= -SAFE && expected <= SAFE ? 'number' : 'bigint');
  expect(BigInt(is)).toBe(expected);
}

const abs = (value: bigint): bigint => (value < 0n ? -value : value);

describe('whole numbers', () => {
  test('add, subtract and multiply exactly', () => {
    fc.assert(
      fc.property(anyValue, anyValue, (a, b) => {
        expectWhole(plus(whole(a), whole(b)), a + b);
        expectWhole(minus(whole(a), whole(b)), a - b);
        expectWhole(times(whole(a), whole(b)), a * b);
        expectWhole(largerOf(whole(a), whole(b)), abs(a) > abs(b) ? abs(a) : abs(b));
      }),
      { numRuns: 2_000 },
    );
  });

  test('compare as big integers do', () => {
    fc.assert(
      fc.property(anyValue, anyValue, (a, b) => {
        expect([whole(a) < whole(b), whole(a) <= whole(b), whole(a) === whole(b)]).toEqual([
          a < b,
          a <= b,
          a === b,
        ]);
      }),
    );
  });

  test('take shares exactly, down and up', () => {
    fc.assert(
      fc.property(positive, rate, (amount, ppm) => {
        const product = amount * BigInt(ppm);
        expectWhole(shareDown(whole(amount), ppm), product / 1_000_000n);
        expectWhole(shareUp(whole(amount), ppm), (product + 999_999n) / 1_000_000n);
      }),
      { numRuns: 5_000 },
    );
    // A quotient that a division rounds up to the next whole number.
    for (const amount of [8_999_999_999_999_999, Number.MAX_SAFE_INTEGER, 5_999_999, 1_000_000, 999_999])
      expectWhole(shareDown(amount, 999_999), (BigInt(amount) * 999_999n) / 1_000_000n);
  });

  test('take shares of what is negative towards zero', () => {
    expectWhole(shareDown(-1_500_001, 500_000), -750_000n);
  });

  test('know no negative zero', () => {
    expect(Object.is(times(0, -5), 0)).toBe(true);
    expect(Object.is(minus(0, 0), 0)).toBe(true);
  });
});
