/** @module Profit over time, round trips, drawdowns, histograms and latency, worked out by hand. */
import { describe, expect, test } from 'vitest';
import { unixMs } from '../../../src/core/index.ts';
import {
  type Lots,
  MARKOUT_HORIZONS_MS,
  type OrderId,
  quantums,
  type RecordedFill,
  type Ticks,
} from '../../../src/domain/index.ts';
import { histogramOf, quantileOf } from '../../../src/report/histogram.ts';
import { htmlOfRun, jsonOfRun } from '../../../src/report/index.ts';
import { fieldsOf } from '../../../src/report/page/fill-rows.ts';
import { scaledRange } from '../../../src/report/page/start.ts';
import { aDay, aRecordedFill, aRunRecord, aYear } from '../../support/run-records.ts';
import { BTC, MAKER, START_MS } from '../../support/trading-builders.ts';

const HOUR_MS = 3_600_000;

/** A fill at a second of the run: 100 quantums a tick and lot, so 10 lots of 10 ticks are 10,000 quantums. */
function fillAt(
  second: number,
  side: 'buy' | 'sell',
  price: number,
  lots: number,
  order: string,
): RecordedFill {
  return aRecordedFill({
    atMs: unixMs(START_MS + second * 1_000),
    ...{ side, priceTicks: price as Ticks, sizeLots: lots as Lots, orderId: order as OrderId },
    fee: quantums(1_000n),
    midTicks: price + (side === 'buy' ? 5 : -5),
  });
}

describe('round trips', () => {
  const rowOf = (fills: readonly RecordedFill[], finalLots = 0) => {
    const zero = quantums(0n);
    const row = { realized: zero, unrealized: zero, fees: zero, funding: zero, turnover: zero };
    const byStrategy = [{ ...row, strategyId: MAKER, symbol: BTC, finalLots: finalLots as Lots }];
    return jsonOfRun(aRunRecord({ fills, byStrategy })).roundTrips.rows[0];
  };

  test('match the oldest fills first, take off the fees of both sides, and count an order once', () => {
    const row = rowOf([
      fillAt(1, 'buy', 1_000, 10, 'a'),
      fillAt(2, 'buy', 1_010, 10, 'b'),
      // Ten of a: +20 ticks; five of b: +10 ticks. One order in two fills.
      fillAt(4, 'sell', 1_020, 10, 'c'),
      fillAt(5, 'sell', 1_020, 5, 'c'),
      // Five of b at a loss of 10 ticks.
      fillAt(6, 'sell', 1_000, 5, 'd'),
    ]);
    // c: 200 lots x ticks + 50 = 25,000, less fees 1,000 + 1,000 + 500 + 1,000; d: -5,000 less 500 + 1,000.
    expect(row).toEqual({
      ...{ symbol: null, count: 2, net: '0.015000', winRate: 0.5, profitFactor: 3.30769230769 },
      ...{ averageWin: '0.021500', averageLoss: '-0.006500', expectancy: '0.007500' },
      ...{ payoffRatio: 3.30769230769, best: '0.021500', worst: '-0.006500' },
      // Lots x seconds: 10 x 3 + 5 x 3 + 5 x 4 over 20 lots; orders held 3 s and 4 s.
      ...{ meanHoldingMs: 3_250, medianHoldingMs: 3_000 },
    });
  });

  test('a fill that turns the position around closes and opens; what was held before is closed, too', () => {
    const turned = rowOf(
      [fillAt(1, 'sell', 1_000, 30, 'a'), fillAt(3, 'buy', 990, 20, 'b')],
      // 10 long before: 10 + 20 - 30.
      0,
    );
    // 10 lots from the first mid (1,000,000 ticks) lose; 20 short at 1,000 gain 10 ticks.
    expect(turned).toMatchObject({ count: 2, best: '0.018333', worst: '-999.000333' });
  });

  test('are none without a closing fill', () => {
    expect(rowOf([fillAt(1, 'buy', 1_000, 10, 'a')], 10)).toMatchObject({
      ...{ count: 0, net: '0.000000', winRate: null, averageWin: null, meanHoldingMs: null },
    });
  });
});

describe('profit over time', () => {
  test('has no hours where samples are a day apart', () => {
    const { periods } = jsonOfRun(aYear());
    expect(periods.byDay).toHaveLength(300);
    expect(periods.byHour).toEqual([]);
  });

  test('the parts of each hour add up to its change of equity, and hours and days to the run', () => {
    const day = aDay({ hours: 30 });
    const paid = { atMs: START_MS + 2.5 * HOUR_MS, symbol: BTC, amount: quantums(-250_000n) };
    const { periods, pnl } = jsonOfRun({ ...day, fundings: [paid] });
    const whole = (text: string) => Math.round(Number(text) * 1e6);
    for (const row of [...periods.byHour, ...periods.byDay])
      expect(whole(row.total)).toBe(
        whole(row.spread) + whole(row.inventory) + whole(row.funding) - whole(row.fees),
      );
    for (const rows of [periods.byHour, periods.byDay]) {
      expect(rows.reduce((sum, row) => sum + whole(row.total), 0)).toBe(whole(pnl.total));
      expect(rows.reduce((sum, row) => sum + row.fills, 0)).toBe(day.fills.length);
      expect(rows.reduce((sum, row) => sum + whole(row.funding), 0)).toBe(-250_000);
    }
    expect(periods.byHour.map(({ funding }) => funding).indexOf('-0.250000')).toBe(2);
    expect(periods.byHour).toHaveLength(30);
  });

  test('a mid that is not known gives no spread', () => {
    const fills = [
      fillAt(1, 'buy', 1_000, 10, 'a'),
      { ...fillAt(2, 'buy', 1_000, 10, 'b'), midTicks: Number.NaN },
    ];
    expect(jsonOfRun(aRunRecord({ fills })).periods.byDay[0]).toMatchObject({
      ...{ spread: '0.005000', fees: '0.002000', inventory: '-0.003000', total: '0.000000', fills: 2 },
    });
  });
});

describe('drawdowns', () => {
  test('are the deepest first, with their recovery', () => {
    const record = aRunRecord();
    const equity = Float64Array.of(100, 90, 95, 100, 110, 88, 99, 105, 110, 108, 109);
    const { drawdowns } = jsonOfRun({ ...record, samples: { ...record.samples, equity } });
    const at = (second: number) => new Date(START_MS + second * 1_000).toISOString();
    expect(drawdowns).toEqual([
      { begin: at(5), trough: at(5), recovery: at(8), depth: -0.2, lengthMs: 3_000 },
      { begin: at(1), trough: at(1), recovery: at(3), depth: -0.1, lengthMs: 2_000 },
      { begin: at(9), trough: at(9), recovery: null, depth: -0.0181818181818, lengthMs: 1_000 },
    ]);
  });
});

describe('histograms', () => {
  test('hold every value once, in bins at round numbers', () => {
    const values = Array.from({ length: 1_000 }, (_, at) => at / 100);
    const { bins, count, mean, median, p5, p95 } = histogramOf({ values });
    expect({ count, mean, median, p5, p95 }).toEqual({
      count: 1_000,
      mean: 4.995,
      median: 4.99,
      p5: 0.49,
      p95: 9.49,
    });
    expect(bins.reduce((sum, { weight }) => sum + weight, 0)).toBe(1_000);
    expect(bins.length).toBeGreaterThan(15);
    for (const { from, to, weight } of bins)
      expect(weight).toBe(
        values.filter((value) => value >= from && (value < to || to === bins.at(-1)?.to)).length,
      );
  });

  test('weigh values, and say nothing of nothing', () => {
    expect(histogramOf({ values: [1, 2], weights: [1, 9] })).toMatchObject({ mean: 1.9, median: 2, p5: 1 });
    expect(histogramOf({ values: [Number.NaN] })).toMatchObject({ count: 0, mean: null, bins: [] });
    expect(histogramOf({ values: [7, 7] }).bins).toEqual([{ from: 7, to: 7, weight: 2 }]);
    expect(quantileOf([], 0.5)).toBeNaN();
  });
});

describe('distributions', () => {
  test('time to fill counts from the rest of an order, the spread by the time that it was quoted', () => {
    const quote = (order: string, side: 'buy' | 'sell', price: number, second: number) => ({
      ...{
        atMs: unixMs(START_MS + second * 1_000),
        strategyId: MAKER,
        orderId: order as OrderId,
        symbol: BTC,
      },
      ...{ side, priceTicks: price as Ticks, sizeLots: 10 as Lots, event: 'rested' as const },
    });
    const record = aRunRecord({
      quotes: [
        quote('a', 'buy', 9_990, 0),
        quote('b', 'sell', 10_010, 2),
        { ...quote('a', 'buy', 9_990, 5), event: 'filled' },
      ],
      fills: [fillAt(5, 'buy', 9_990, 10, 'a')],
      latency: {
        oneOf: 1,
        rows: [
          [START_MS, 40],
          [START_MS + 1, 60],
        ],
      },
    });
    const of = (name: string) => jsonOfRun(record).distributions.find((one) => one.name === name);
    expect(of('timeToFill')).toMatchObject({ count: 1, mean: 5_000 });
    expect(of('quotedSpread')).toMatchObject({ count: 1, mean: 20, bins: [{ weight: 3_000 }] });
    expect(of('fillSize')).toMatchObject({ unit: 'size', mean: 0.01 });
    expect(of('writeLatency')).toMatchObject({ count: 2, mean: 50 });
    expect(of('queueAheadAtEntry')).toBeUndefined();
    expect(htmlOfRun(record)).toContain('id="latency"');
  });

  test('orders and cancels are counted for each fill', () => {
    const { orders } = jsonOfRun(aDay({ hours: 1 }));
    const trades = orders.makerFills + orders.takerFills;
    expect(orders.orderToTradeRatio).toBeCloseTo(orders.ordersPlaced / trades, 9);
    expect(orders.cancelToTradeRatio).toBeCloseTo(orders.ordersCanceled / trades, 9);
  });
});

describe('the list of fills', () => {
  test('names the order, and its fields are read back', () => {
    expect(fieldsOf('a,"b ""c"", d",,e')).toEqual(['a', 'b "c", d', '', 'e']);
    expect(fieldsOf('a,')).toEqual(['a', '']);
    const later = MARKOUT_HORIZONS_MS.map(() => 1_010);
    const page = htmlOfRun(
      aRunRecord({ fills: [{ ...fillAt(1, 'buy', 1_000, 10, 'a'), laterMidTicks: later }] }),
    );
    expect(page).toContain('BTC-PERP,buy,maker,100.0,0.010,0.001000,50,100,,,a,maker,run-1-1,');
  });

  test('says what an order had waited for', () => {
    const fills = [fillAt(1, 'buy', 1_000, 10, 'a'), fillAt(2, 'sell', 990, 10, 'b')];
    const [a, b] = fills.map(({ orderId }) => orderId) as [OrderId, OrderId];
    const page = htmlOfRun(
      aRunRecord({
        fills,
        triggers: [
          { orderId: a, triggerTicks: 0 as Ticks, isAbove: true },
          { orderId: b, triggerTicks: 995 as Ticks, isAbove: false },
        ],
      }),
    );
    expect(page).toContain('maker,run-1-1,a price of the index');
    // The page holds its data as JSON that no tag can end.
    expect(page).toMatch(/run-1-1,index (?:<|\\u003c)= 99\.5/);
  });
});

test('a gesture scales around its place and stays inside of the run', () => {
  expect(scaledRange([100, 200], [0, 1_000], { at: 0.5, times: 0.5, by: 0 })).toEqual([125, 175]);
  expect(scaledRange([100, 200], [0, 1_000], { at: 0, times: 1, by: -2 })).toEqual([0, 100]);
  expect(scaledRange([100, 200], [0, 1_000], { at: 0.2, times: 99, by: 0 })).toEqual([0, 1_000]);
});
