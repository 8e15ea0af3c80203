/** @module Profit at average cost. */
import { describe, expect, test } from 'vitest';
import { CostBook, lots, type Side, ticks, totalOf } from '../../../src/domain/index.ts';
import { usd } from '../../support/trading-builders.ts';

function aBook(...executions: readonly (readonly [Side, number, number])[]): CostBook {
  const book = new CostBook();
  for (const [side, priceTicks, sizeLots] of executions)
    book.apply({ side, priceTicks: ticks(priceTicks), sizeLots: lots(sizeLots) }, 1n);
  return book;
}

describe('CostBook', () => {
  test('averages what is bought and realizes what is sold', () => {
    const book = aBook(['buy', 100, 10], ['buy', 110, 10], ['sell', 120, 5]);
    expect([book.sizeLots, book.cost, book.realized]).toEqual([15, 1575n, 75n]);
    expect(book.averageEntryTicks()).toBe(105);
    expect(book.unrealizedAt(ticks(100))).toBe(-75n);
  });

  test('earns on a short when the price falls', () => {
    const book = aBook(['sell', 100, 5], ['buy', 90, 2]);
    expect([book.sizeLots, book.cost, book.realized]).toEqual([-3, -300n, 20n]);
    expect(book.unrealizedAt(ticks(95))).toBe(15n);
  });

  test('turns through zero: closes the old side, opens the new one at the new price', () => {
    const book = aBook(['buy', 100, 5], ['sell', 110, 8]);
    expect([book.sizeLots, book.cost, book.realized]).toEqual([-3, -330n, 50n]);
  });

  test('keeps what division rounds off in the open cost and gives it out at the close', () => {
    const book = aBook(['buy', 100, 2], ['buy', 101, 1], ['sell', 100, 1], ['sell', 100, 2]);
    expect([book.sizeLots, book.cost, book.realized]).toEqual([0, 0n, -1n]);
    expect(book.averageEntryTicks()).toBeUndefined();
  });

  test('error: refuses an execution of nothing', () => {
    expect(() => aBook(['buy', 100, 0])).toThrow(/at least one lot/);
  });

  test('a change of equity is realized + unrealized + funding - fees (I3)', () => {
    expect(totalOf({ realized: usd(5), unrealized: usd(-2), funding: usd(1), fees: usd(3) })).toBe(usd(1));
  });
});
