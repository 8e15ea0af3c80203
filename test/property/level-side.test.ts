import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LevelSide, lots, NO_KEY } from '../../src/domain/index.ts';

/** Keys that crowd, spread over a window's edge, and lie at the ends of the wire's range. */
const key = fc.oneof(
  fc.integer({ min: 500_000, max: 500_020 }),
  fc.integer({ min: 480_000, max: 520_000 }),
  fc.integer({ min: 0, max: 0xffff_ffff }),
  fc.integer({ min: -0x8000_0000, max: 0x7fff_ffff }),
);
const size = fc.oneof(
  { weight: 2, arbitrary: fc.constant(0) },
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 9 }) },
);

/** A level that is set; 'clear': all of them are removed. */
const change = fc.oneof(
  { weight: 30, arbitrary: fc.tuple(key, size) },
  { weight: 1, arbitrary: fc.constant('clear' as const) },
);

test('a side tells what stood at a key, its best level and the next one below any key', () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 200 }), fc.array(key), (changes, asked) => {
      const side = new LevelSide();
      const model = new Map<number, number>();
      for (const one of changes) {
        if (one === 'clear') {
          side.clear();
          model.clear();
          expect(side.count).toBe(0);
          continue;
        }
        const [at, lotsNow] = one;
        expect(side.set(at, lots(lotsNow))).toBe(model.get(at) ?? 0);
        if (lotsNow === 0) model.delete(at);
        else model.set(at, lotsNow);
        const keys = [...model.keys()].sort((a, b) => b - a);
        expect(side.count).toBe(keys.length);
        if (keys.length > 0) expect(side.bestKey).toBe(keys[0]);
      }
      const keys = [...model.keys()].sort((a, b) => b - a);
      for (const from of [...asked, ...keys])
        expect(side.nextBelow(from)).toBe(keys.find((one) => one < from) ?? NO_KEY);
      // A copy has the same levels, whatever it had before.
      const copy = new LevelSide();
      for (const [place, at] of asked.entries()) copy.set(at, lots(place + 1));
      copy.copy(side);
      expect(copy.count).toBe(keys.length);
      const [ticks, sizes] = [new Float64Array(keys.length), new Float64Array(keys.length)];
      expect(copy.fill(ticks, sizes)).toBe(keys.length);
      expect([...ticks]).toEqual(keys);
      expect([...sizes]).toEqual(keys.map((at) => model.get(at)));
      for (const at of asked) expect(copy.get(at)).toBe(model.get(at) ?? 0);
    }),
  );
});
