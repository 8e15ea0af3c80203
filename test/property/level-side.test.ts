import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LevelSide, lots } from '../../src/domain/index.ts';

/** Keys that crowd, spread over a window's edge, and lie at the ends of the wire's range. */
const key = fc.oneof(
  fc.integer({ min: 500_000, max: 500_020 }),
  fc.integer({ min: 480_000, max: 520_000 }),
  fc.integer({ min: 0, max: 0xffff_ffff }),
);
const size = fc.oneof(
  { weight: 2, arbitrary: fc.constant(0) },
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 9 }) },
);

test('a side tells what stood at a key, its best and worst level and the next one below any key', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(key, size), { maxLength: 200 }), fc.array(key), (changes, asked) => {
      const side = new LevelSide();
      const model = new Map<number, number>();
      for (const [at, lotsNow] of changes) {
        expect(side.set(at, lots(lotsNow))).toBe(model.get(at) ?? 0);
        if (lotsNow === 0) model.delete(at);
        else model.set(at, lotsNow);
        const keys = [...model.keys()].sort((a, b) => b - a);
        expect(side.count).toBe(keys.length);
        if (keys.length > 0) expect([side.bestKey, side.worstKey]).toEqual([keys[0], keys.at(-1)]);
      }
      const keys = [...model.keys()].sort((a, b) => b - a);
      for (const from of [...asked, ...keys])
        expect(side.nextBelow(from)).toBe(keys.find((one) => one < from) ?? -1);
    }),
  );
});
