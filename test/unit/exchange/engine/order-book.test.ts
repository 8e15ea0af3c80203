import { describe, expect, test } from 'vitest';
import { BUY, OrderBook, SELL } from '../../../../src/exchange/engine/index.ts';

function levelsOf(book: OrderBook, side: 0 | 1): [number, number][] {
  const levels: [number, number][] = [];
  book.forEachLevel(side, (price, lots) => levels.push([price, lots]) > 0);
  return levels;
}

describe('limit', () => {
  test('takes at the price of the resting order and rests the remainder', () => {
    const book = new OrderBook();
    book.limit(1, SELL, 100, 3);
    book.limit(2, BUY, 105, 5);
    expect([book.tradeCount, book.tradedLots, book.bidTicks]).toEqual([1, 3, 105]);
    expect(levelsOf(book, BUY)).toEqual([[105, 2]]);
    expect(levelsOf(book, SELL)).toEqual([]);
  });

  test('gives no slot when nothing is left', () => {
    const book = new OrderBook();
    book.limit(1, SELL, 100, 3);
    expect(book.limit(2, BUY, 100, 3)).toBe(-1);
    expect([book.restingCount, book.bidTicks, book.askTicks]).toEqual([0, -1, Number.POSITIVE_INFINITY]);
  });
});

describe('market', () => {
  test('takes at any price and gives the lots for which nobody was there', () => {
    const book = new OrderBook();
    book.limit(1, BUY, 1, 2);
    book.limit(2, BUY, 4_294_967_295, 2);
    expect(book.market(SELL, 5)).toBe(1);
    expect(book.market(BUY, 5)).toBe(5);
  });
});

describe('cancel', () => {
  test('removes an order from the middle of its level', () => {
    const book = new OrderBook();
    const slots = [1, 2, 3].map((id) => book.limit(id, BUY, 100, id));
    expect(book.cancel(slots[1] ?? -1, 2)).toBe(2);
    const left: number[] = [];
    book.forEachOrder(BUY, (_slot, _price, lots) => left.push(lots) > 0);
    expect(left).toEqual([1, 3]);
  });

  test('does nothing for an order that is gone, although its slot is used again', () => {
    const book = new OrderBook();
    const first = book.limit(1, BUY, 100, 1);
    expect(book.cancel(first, 1)).toBe(1);
    const second = book.limit(2, BUY, 100, 7);
    expect(second).toBe(first);
    expect(book.cancel(first, 1)).toBe(0);
    expect(book.cancel(-1, 1)).toBe(0);
    expect(book.restingCount).toBe(1);
  });
});

test('slots of orders that left are used again', () => {
  const book = new OrderBook();
  const slots = [1, 2, 3].map((id) => book.limit(id, BUY, 100, 1));
  book.cancel(slots[0] ?? -1, 1);
  book.market(SELL, 1);
  expect([4, 5, 6].map((id) => book.limit(id, BUY, 100, 1)).sort()).toEqual([0, 1, 3]);
});

describe('levels', () => {
  test('stand in order over pages that lie far apart', () => {
    const book = new OrderBook();
    const prices = [1, 255, 256, 257, 100_000, 3_000_000_000, 4_294_967_295];
    for (const [i, price] of [...prices].reverse().entries()) book.limit(i, SELL, price, price);
    expect(levelsOf(book, SELL)).toEqual(prices.map((price) => [price, price]));
    expect(book.market(BUY, 1 + 255)).toBe(0);
    expect(book.askTicks).toBe(256);
  });

  test('move on to the next best when the best empties, on both sides of one page', () => {
    const book = new OrderBook();
    const bids = [95, 97, 99].map((price) => [price, book.limit(price, BUY, price, 1)] as const);
    for (const price of [101, 103]) book.limit(price, SELL, price, 1);
    for (const [price, slot] of [...bids].reverse()) {
      expect(book.bidTicks).toBe(price);
      book.cancel(slot, price);
    }
    expect([book.bidTicks, book.askTicks]).toEqual([-1, 101]);
    book.market(BUY, 1);
    expect(book.askTicks).toBe(103);
  });

  test('more orders and pages than were set aside at first are no matter', () => {
    const book = new OrderBook(2);
    for (let i = 0; i < 100; i++) book.limit(i, BUY, 1 + i * 1000, 1);
    expect(levelsOf(book, BUY)).toHaveLength(100);
    expect(book.market(SELL, 99)).toBe(0);
    expect(levelsOf(book, BUY)).toEqual([[1, 1]]);
  });
});
