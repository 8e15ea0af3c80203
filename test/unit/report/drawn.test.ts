/** @module What a chart draws of orders and fills: each where it is while they are few, the extremes of all when they are many. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { MarketLines } from '../../../src/report/page/dom.ts';
import { fillTip, marksOf, orderBars, priceRange } from '../../../src/report/page/draw.ts';
import { stretchesOf } from '../../../src/report/page/marks.ts';
import { aPlot, pageGlobals } from '../../support/report-page.ts';

beforeAll(() => {
  for (const [name, value] of Object.entries(pageGlobals())) vi.stubGlobal(name, value);
});
afterAll(() => void vi.unstubAllGlobals());

/** A pixel is 10 ms wide and a price of 1 high; a price of 50 is the top row. */
const plot = aPlot({ x: [0, 1_000], y: [0, 50] });

type Order = readonly [from: number, to: number, price: number, isBid?: 0 | 1];
type Fill = readonly [at: number, price: number, isBuy?: 0 | 1, isMaker?: 0 | 1];

function marketOf(orders: readonly Order[], fills: readonly Fill[] = []): MarketLines {
  return {
    ...{ symbol: 'M', priceDecimals: 1, sizeDecimals: 0 },
    orders: {
      from: orders.map(([from]) => from),
      to: orders.map(([, to]) => to),
      price: orders.map(([, , price]) => price),
      isBid: orders.map(([, , , isBid = 1]) => isBid),
      levels: new Map(),
    },
    fills: {
      at: fills.map(([at]) => at),
      price: fills.map(([, price]) => price),
      size: fills.map(() => 2),
      isBuy: fills.map(([, , isBuy = 1]) => isBuy),
      isMaker: fills.map(([, , , isMaker = 1]) => isMaker),
      words: fills.map((_fill, place) => `order ${place}`),
      levels: new Map(),
    },
  } as unknown as MarketLines;
}

describe('orders longer than a pixel', () => {
  test('reach from the begin of an order to its end, in the row of its price', () => {
    expect(orderBars(marketOf([[100, 300, 40]]), plot, 1)).toEqual([[10, 10, 30, 11]]);
    expect(orderBars(marketOf([[100, 300, 40]]), plot, 0)).toEqual([]);
  });

  test('leave out what would be painted over others, and go on where they end', () => {
    const market = marketOf([
      [100, 300, 40],
      [150, 250, 40],
      [200, 500, 40],
      [600, 700, 40],
    ]);
    expect(orderBars(market, plot, 1)).toEqual([
      [10, 10, 30, 11],
      [30, 10, 50, 11],
      [60, 10, 70, 11],
    ]);
  });

  test('outside of the chart are not there; of those that reach into it, the part inside', () => {
    const market = marketOf([
      [-500, -100, 40],
      [-400, 200, 30],
      [-300, 1_400, 20],
      [100, 200, 90],
      [1_500, 1_600, 40],
    ]);
    expect(orderBars(market, plot, 1)).toEqual([
      [0, 20, 20, 21],
      [0, 30, 100, 31],
    ]);
  });
});

describe('orders shorter than a pixel', () => {
  test('of one step of time are bars over the stretches of their prices, the widest gaps left open', () => {
    const prices = [10, 11, 12, 20, 21, 40, 11];
    const market = marketOf(prices.map((price, at) => [160 + at, 162 + at, price] as const));
    expect(orderBars(market, plot, 1)).toEqual([
      [16, 38, 18, 41],
      [16, 29, 18, 31],
      [16, 10, 18, 11],
    ]);
  });

  test('keep the lowest and the highest price of each side in each step, however many they are', () => {
    const orders = Array.from({ length: 100_000 }, (_, at) => {
      const isBid = at % 2 === 0 ? 1 : 0;
      return [at / 100, at / 100 + 2, (isBid ? 5 : 30) + ((at * 7919) % 13), isBid] as const;
    });
    const market = marketOf(orders);
    for (const side of [0, 1] as const) {
      const bars = orderBars(market, plot, side);
      // Steps of 16 ms: 63 of them, of three stretches at most.
      expect(bars.length).toBeLessThanOrEqual(3 * 64);
      const [least, most] = side === 1 ? [5, 17] : [30, 42];
      for (let column = 0; column < 99; column++) {
        const over = bars.filter(([left, , right]) => left <= column && right > column);
        expect(Math.min(...over.map(([, top]) => top))).toBe(50 - most);
        expect(Math.max(...over.map(([, , , bottom]) => bottom))).toBe(50 - least + 1);
      }
    }
  });

  test('are thinned once for a step, and again where a pixel is shorter', () => {
    const market = marketOf([[100, 101, 40]]);
    orderBars(market, plot, 1);
    orderBars(market, aPlot({ x: [100, 1_100], y: [0, 50] }), 1);
    expect([...market.orders.levels.keys()]).toEqual([16]);
    // At 0.01 ms a pixel the same order is a line of its length.
    expect(orderBars(market, aPlot({ x: [100, 101], y: [0, 50] }), 1)).toEqual([[0, 10, 100, 11]]);
  });
});

test('prices are at most three stretches, each from a price to a price', () => {
  expect(stretchesOf([4])).toEqual([[4, 4]]);
  expect(stretchesOf([4, 9, 4])).toEqual([
    [4, 4],
    [9, 9],
  ]);
  expect(stretchesOf([1, 2, 3, 10, 30, 31, 60])).toEqual([
    [1, 10],
    [30, 31],
    [60, 60],
  ]);
});

describe('fills', () => {
  test('are all marked while they are few', () => {
    const few = Array.from({ length: 25 }, (_, at) => [at * 40, 25] as const);
    expect(marksOf(marketOf([], few), [0, 1_000], 100).map(({ at }) => at)).toEqual(few.map(([at]) => at));
  });

  test('of many, those of one side and role close in time are one mark that counts them and keeps their extremes', () => {
    const many = Array.from({ length: 20_000 }, (_, at) => {
      const kind = Math.floor(at / 5) % 4;
      return [at / 20, 10 + (at % 30), (kind & 1) as 0 | 1, (kind >> 1) as 0 | 1] as const;
    });
    const market = marketOf([], many);
    const marks = marksOf(market, [0, 1_000], 100);
    expect(marks.length).toBeLessThanOrEqual(4 * 9);
    expect(marks.reduce((sum, { count }) => sum + count, 0)).toBe(20_000);
    for (const { kind, count, fromMs, toMs, low, high, size } of marks) {
      const same = many.filter(
        ([at, , isBuy, isMaker]) => at >= fromMs && at <= toMs && 2 * isMaker + isBuy === kind,
      );
      expect([count, size]).toEqual([same.length, 2 * same.length]);
      expect([low, high]).toEqual([
        Math.min(...same.map(([, price]) => price)),
        Math.max(...same.map(([, price]) => price)),
      ]);
    }
    // The same marks while the chart moves: steps begin at fixed times.
    expect(marksOf(market, [300, 1_300], 100).filter(({ fromMs }) => fromMs >= 384)).toEqual(
      marks.filter(({ fromMs }) => fromMs >= 384),
    );
  });

  test('under the pointer say what one was, or how many there were', () => {
    const one = marketOf([], [[500, 25, 0, 1]]);
    expect(fillTip(one, plot, 50, 20)).toMatch(/^sold 2 at 25\.0 as maker\n1970-01-01 .* UTC\norder 0$/);
    expect(fillTip(one, plot, 50, 45)).toBe('');
    const many = marketOf(
      [],
      Array.from({ length: 300 }, (_, at) => [500 + at / 100, 20 + (at % 3), 1, 0] as const),
    );
    expect(fillTip(many, plot, 50, 33)).toMatch(
      /^300 fills: bought 600 at 21\.0 on average \(20\.0 to 22\.0\) as taker\n/,
    );
  });
});

describe('the range of prices', () => {
  test('has the orders and fills of the time that is to be shown, not of the one before', () => {
    const market = marketOf(
      [
        [100, 300, 40],
        [5_000, 5_300, 30],
      ],
      [[5_100, 45]],
    );
    const [low, high] = priceRange(market, plot, [5_000, 6_000], [35, 38]);
    // A sixteenth or so of room on both sides.
    expect([low, high]).toEqual([35 - 0.18, 38 + 0.18]);
    expect(priceRange(market, plot, [5_000, 6_000], [32, 42])).toEqual([30 - 0.9, 45 + 0.9]);
    expect(priceRange(market, plot, [100, 1_000], [38, 39])).toEqual([38 - 0.12, 40 + 0.12]);
  });

  test('leaves out what is far from the mid, and is of orders where there is no mid', () => {
    const market = marketOf([[100, 300, 1_000]]);
    expect(priceRange(market, plot, [0, 1_000], [35, 38])).toEqual([35 - 0.18, 38 + 0.18]);
    expect(priceRange(market, plot, [0, 1_000], [Infinity, -Infinity])).toEqual([999.9, 1_000.1]);
    expect(priceRange(market, plot, [400, 1_000], [Infinity, -Infinity])).toEqual([0, 1]);
  });
});
