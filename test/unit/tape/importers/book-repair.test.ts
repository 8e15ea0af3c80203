import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BookRepair } from '../../../../src/tape/importers/book-repair.ts';
import { levels } from './recordings.ts';

const first = { bids: levels([100, 1], [99, 2]), asks: levels([103, 3], [104, 4]) };

describe('BookRepair', () => {
  test.each([
    ['the bid stood there', levels([100, 1]), levels([100, 5], [104, 4]), [100, 1], [101, 5]],
    ['the ask stood there', levels([103, 5], [99, 2]), levels([103, 3]), [102, 5], [103, 3]],
    ['neither stood there', levels([102, 5]), levels([102, 3]), [102, 5], [103, 3]],
  ] as const)('moves the newcomer of a locked book out when %s', (_title, bids, asks, bid, ask) => {
    const repair = new BookRepair();
    repair.repair(first);
    const sides = repair.repair({ bids, asks });
    expect([sides.bids[0], sides.asks[0]]).toEqual([...levels(bid), ...levels(ask)]);
  });

  test('lets the same side keep its price while the book stays locked', () => {
    const repair = new BookRepair();
    repair.repair(first);
    const locked = { bids: levels([103, 5]), asks: levels([103, 3]) };
    expect(repair.repair(locked)).toEqual(repair.repair(locked));
  });

  test('puts all levels of a crossed side together one tick beyond', () => {
    const repair = new BookRepair();
    repair.repair(first);
    const asks = levels([98, 1], [100, 2], [101, 4], [102, 8]);
    expect(repair.repair({ bids: levels([100, 1]), asks }).asks).toEqual(levels([101, 7], [102, 8]));
  });

  test('lets a bid that would fall below one tick leave the book', () => {
    const repair = new BookRepair();
    repair.repair({ bids: [], asks: levels([1, 1]) });
    expect(repair.repair({ bids: levels([1, 9]), asks: levels([1, 1]) }).bids).toEqual([]);
  });

  test('gives any book a spread, keeps it sorted and loses no size', () => {
    const side = fc
      .uniqueArray(fc.tuple(fc.integer({ min: 10, max: 40 }), fc.integer({ min: 1, max: 9 })), {
        selector: ([price]) => price,
        maxLength: 8,
      })
      .map((pairs) => pairs.sort(([a], [b]) => a - b));
    const book = fc.record({ bids: side, asks: side }).map(({ bids, asks }) => ({
      bids: levels(...bids.toReversed()),
      asks: levels(...asks),
    }));
    fc.assert(
      fc.property(fc.array(book, { maxLength: 5 }), (books) => {
        const repair = new BookRepair();
        for (const before of books) {
          const after = repair.repair(before);
          const prices = [...after.bids.toReversed(), ...after.asks].map(({ priceTicks }) => priceTicks);
          expect(prices).toEqual([...new Set(prices)].sort((a, b) => a - b));
          expect(sizeOf(after.bids)).toBe(sizeOf(before.bids));
          expect(sizeOf(after.asks)).toBe(sizeOf(before.asks));
        }
      }),
    );
  });
});

function sizeOf(side: ReturnType<typeof levels>): number {
  return side.reduce((sum, { sizeLots }) => sum + sizeLots, 0);
}
