import { describe, expect, test } from 'vitest';
import { lots, type Side, ticks } from '../../../src/domain/index.ts';
import { LevelBook } from '../../../src/domain/level-book.ts';

/** A book with these levels, set in this order. */
function bookOf(...levels: readonly (readonly [Side, number, number])[]): LevelBook {
  const book = new LevelBook();
  for (const [side, price, size] of levels) book.set(side, ticks(price), lots(size));
  return book;
}

function levelsOf(book: LevelBook, side: Side): number[][] {
  const levels: number[][] = [];
  book.forEachLevel(side, (price, size) => {
    levels.push([price, size]);
    return true;
  });
  return levels;
}

describe('LevelBook', () => {
  test('has no best price and no level at first', () => {
    const book = new LevelBook();
    expect([book.bidTicks, book.askTicks, book.bidCount, book.askCount, book.isCrossed]).toEqual([
      undefined,
      undefined,
      0,
      0,
      false,
    ]);
  });

  test('keeps the highest bid and the lowest ask as best', () => {
    const book = bookOf(
      ['buy', 100, 1],
      ['buy', 102, 2],
      ['buy', 101, 3],
      ['sell', 110, 4],
      ['sell', 105, 5],
    );
    expect([book.bidTicks, book.askTicks]).toEqual([102, 105]);
    expect(levelsOf(book, 'buy')).toEqual([
      [102, 2],
      [101, 3],
      [100, 1],
    ]);
    expect(levelsOf(book, 'sell')).toEqual([
      [105, 5],
      [110, 4],
    ]);
  });

  test('replaces the size of a level and counts it once', () => {
    const book = bookOf(['buy', 100, 1], ['buy', 100, 7]);
    expect(book.sizeAt('buy', ticks(100))).toBe(7);
    expect(book.bidCount).toBe(1);
  });

  test('moves the best price to the next level when the best one is removed', () => {
    const book = bookOf(['sell', 105, 5], ['sell', 300, 4], ['sell', 105, 0]);
    expect([book.askTicks, book.askCount]).toEqual([300, 1]);
    expect(book.sizeAt('sell', ticks(105))).toBe(0);
  });

  test('ignores the removal of a level that is not there, near and far', () => {
    const book = bookOf(['buy', 50_000, 1], ['buy', 49_999, 0], ['buy', 3, 0], ['buy', 4_000_000_000, 0]);
    expect(levelsOf(book, 'buy')).toEqual([[50_000, 1]]);
  });

  test('finds levels far below the best one in their order', () => {
    const book = bookOf(['buy', 900_000, 1], ['buy', 1, 2], ['buy', 70_000, 3], ['buy', 70_000, 4]);
    expect(levelsOf(book, 'buy')).toEqual([
      [900_000, 1],
      [70_000, 4],
      [1, 2],
    ]);
    expect(book.sizeAt('buy', ticks(70_000))).toBe(4);
  });

  test('falls back on far levels when all near ones are gone', () => {
    const book = bookOf(['buy', 900_000, 1], ['buy', 70_000, 3], ['buy', 69_990, 2], ['buy', 900_000, 0]);
    expect(levelsOf(book, 'buy')).toEqual([
      [70_000, 3],
      [69_990, 2],
    ]);
  });

  test('follows a price that jumps away and comes back', () => {
    const book = bookOf(['buy', 1_000, 1], ['buy', 2_000_000_000, 2]);
    expect(book.bidTicks).toBe(2_000_000_000);
    book.set('buy', ticks(2_000_000_000), lots(0));
    expect([book.bidTicks, book.bidCount]).toEqual([1_000, 1]);
  });

  test('follows a price that drifts down tick by tick', () => {
    const book = new LevelBook();
    for (let price = 60_000; price > 0; price--) {
      book.set('buy', ticks(price), lots(price));
      if (price <= 59_990) book.set('buy', ticks(price + 10), lots(0));
    }
    expect(levelsOf(book, 'buy').map(([price]) => price)).toEqual([10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
  });

  test('takes the lowest and the highest price of the wire', () => {
    const book = bookOf(['buy', 0, 1], ['sell', 0xffff_ffff, 2], ['sell', 0, 3], ['sell', 0, 0]);
    expect([book.bidTicks, book.askTicks]).toEqual([0, 0xffff_ffff]);
  });

  test('says when the best bid reaches the best ask', () => {
    const book = bookOf(['buy', 100, 1], ['sell', 101, 1]);
    expect(book.isCrossed).toBe(false);
    book.set('buy', ticks(101), lots(1));
    expect(book.isCrossed).toBe(true);
  });

  test('stops the visit when the visitor has enough', () => {
    const book = bookOf(['sell', 1, 1], ['sell', 2, 1], ['sell', 3, 1]);
    const seen: number[] = [];
    book.forEachLevel('sell', (price) => seen.push(price) < 2);
    expect(seen).toEqual([1, 2]);
  });

  test('is empty after a clear and can be filled again', () => {
    const book = bookOf(['buy', 100, 1], ['buy', 900_000, 2], ['sell', 950_000, 3]);
    book.clear();
    expect([book.bidCount, book.askCount, book.bidTicks]).toEqual([0, 0, undefined]);
    book.set('buy', ticks(7), lots(1));
    expect(levelsOf(book, 'buy')).toEqual([[7, 1]]);
  });
});
