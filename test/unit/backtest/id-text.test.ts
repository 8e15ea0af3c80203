import fc from 'fast-check';
import { expect, test } from 'vitest';
import { IdText } from '../../../src/backtest/replay/id-text.ts';

test('an id is told as it would be without the kept digits, whichever came before', () => {
  const id = fc.oneof(
    fc.integer({ min: 0, max: 30_000 }),
    fc.constantFrom(0, 9_999, 10_000, 19_999, 20_000, Number.MAX_SAFE_INTEGER),
    fc.nat().map((offset) => 5_200_000_000 + (offset % 50_000)),
    fc.maxSafeNat(),
  );
  fc.assert(
    fc.property(fc.array(id, { maxLength: 50 }), (ids) => {
      const text = new IdText();
      expect(ids.map((one) => text.of(one))).toEqual(ids.map(String));
    }),
  );
});
