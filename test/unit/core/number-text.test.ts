import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NumberText } from '../../../src/core/number-text.ts';

describe('NumberText', () => {
  test('says of every number what String says, whatever came before', () => {
    const near = fc.tuple(
      fc.maxSafeNat(),
      fc.array(fc.integer({ min: -3_000, max: 3_000 }), { maxLength: 8 }),
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(near, fc.tuple(fc.double(), fc.constant([0])))), (runs) => {
        const text = new NumberText();
        for (const [start, steps] of runs)
          for (const step of steps) expect(text.of(start + step)).toBe(String(start + step));
      }),
    );
  });

  test('keeps the zeros within a number and goes over to the next thousand', () => {
    const text = new NumberText();
    expect([999, 1_000, 1_001, 1_099, 1_999, 2_000, 2_000.5].map((value) => text.of(value))).toEqual([
      ...['999', '1000', '1001', '1099', '1999', '2000', '2000.5'],
    ]);
  });
});
