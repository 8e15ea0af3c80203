import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LevelBook, lots, type Side, ticks } from '../../src/domain/index.ts';

/** Prices that crowd, spread over a window's edge, and lie at the ends of the wire's range. */
const price = fc.oneof(
  fc.integer({ min: 500_000, max: 500_020 }),
  fc.integer({ min: 480_000, max: 520_000 }),
  fc.integer({ min: 0, max: 0xffff_ffff }),
);
const change = fc.record({
  side: fc.constantFrom<Side>('buy', 'sell'),
  price,
  size: fc.oneof(
    { weight: 2, arbitrary: fc.constant(0) },
    { weight: 3, arbitrary: fc.integer({ min: 1, max: 9 }) },
  ),
});

test('a level book holds what a map of prices would hold, best first', () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 400 }), (changes) => {
      const book = new LevelBook();
      const model = { buy: new Map<number, number>(), sell: new Map<number, number>() };
      for (const { side, price, size } of changes) {
        book.set(side, ticks(price), lots(size));
        if (size === 0) model[side].delete(price);
        else model[side].set(price, size);
        const bids = [...model.buy.keys()].sort((a, b) => b - a);
        const asks = [...model.sell.keys()].sort((a, b) => a - b);
        expect([book.bidTicks, book.askTicks]).toEqual([bids[0], asks[0]]);
        expect([book.bidCount, book.askCount]).toEqual([bids.length, asks.length]);
        expect(book.sizeAt(side, ticks(price))).toBe(size);
      }
      for (const side of ['buy', 'sell'] as const) {
        const levels: [number, number][] = [];
        book.forEachLevel(side, (price, size) => levels.push([price, size]) > 0);
        const direction = side === 'buy' ? -1 : 1;
        expect(levels).toEqual([...model[side]].sort(([a], [b]) => direction * (a - b)));
      }
    }),
  );
});
