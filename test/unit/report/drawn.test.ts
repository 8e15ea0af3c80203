/** @module What a chart draws of orders and fills: no pixel twice, whatever their number. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { MarketLines, Plot } from '../../../src/report/page/dom.ts';
import { orderLines, placeOf, scaleOf, visibleFills } from '../../../src/report/page/draw.ts';

// What a page has beside these functions.
beforeAll(() => {
  for (const [name, value] of Object.entries({ devicePixelRatio: 1, placeOf, scaleOf }))
    vi.stubGlobal(name, value);
});
afterAll(() => void vi.unstubAllGlobals());

/** A chart of 100 x 50 pixels over 0 to 1,000 ms and prices from 0 to 50. */
const plot = {
  bbox: { left: 10, top: 0, width: 100, height: 50 },
  scales: { x: { min: 0, max: 1_000 }, y: { min: 0, max: 50 } },
} as unknown as Plot;

function marketOf(
  orders: readonly (readonly [from: number, to: number, price: number])[],
  fills: readonly number[] = [],
) {
  return {
    orders: {
      from: orders.map(([from]) => from),
      to: orders.map(([, to]) => to),
      price: orders.map(([, , price]) => price),
      isBid: orders.map(() => 1),
    },
    fills: {
      at: fills,
      price: fills.map(() => 25),
      isBuy: fills.map((_at, place) => place % 2),
      isMaker: fills.map(() => 1),
    },
  } as unknown as MarketLines;
}

describe('lines of orders', () => {
  test('reach from the begin of an order to its end, in the row of its price', () => {
    expect(orderLines(marketOf([[100, 300, 40]]), plot, 1)).toEqual([20, 40, 10]);
    expect(orderLines(marketOf([[100, 300, 40]]), plot, 0)).toEqual([]);
  });

  test('leave out what lies on others, and go on where they end', () => {
    const market = marketOf([
      [100, 300, 40],
      [150, 250, 40],
      [200, 500, 40],
      [600, 700, 40],
    ]);
    expect(orderLines(market, plot, 1)).toEqual([20, 40, 10, 40, 60, 10, 70, 80, 10]);
  });

  test('of ten thousand orders are no more than the pixels', () => {
    const many = Array.from({ length: 10_000 }, (_, at) => [at / 10, at / 10 + 3, 20 + (at % 5)] as const);
    expect(orderLines(marketOf(many), plot, 1).length / 3).toBeLessThanOrEqual(5 * 101);
  });

  test('of orders outside of the chart are not there; of those that reach into it, the part inside', () => {
    const market = marketOf([
      [-500, -100, 40],
      [-400, 200, 30],
      [100, 200, 90],
      [1_500, 1_600, 40],
    ]);
    expect(orderLines(market, plot, 1)).toEqual([10, 30, 20]);
  });
});

test('fills are all shown while they are few; of many, one for each place, side and role', () => {
  const few = Array.from({ length: 1_000 }, (_, at) => at);
  expect(visibleFills(marketOf([], few), plot).shown).toHaveLength(1_000);
  const many = Array.from({ length: 20_000 }, (_, at) => at / 20);
  const { shown, size } = visibleFills(marketOf([], many), plot);
  expect(size).toBe(2.5);
  expect(shown).toHaveLength(2 * 40);
});
