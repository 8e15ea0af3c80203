/** @module Figures of a report, worked out by hand, as a document and as text. */
import { describe, expect, test } from 'vitest';
import { unixMs } from '../../../src/core/index.ts';
import { type Lots, type OrderId, quantums, type RunRecord, type Ticks } from '../../../src/domain/index.ts';
import { describeRun, jsonOfRun } from '../../../src/report/index.ts';
import { drawdownOf, returnsOf, thinned } from '../../../src/report/series.ts';
import { aDay, aRecordedFill, aRunRecord } from '../../support/run-records.ts';
import { START_MS } from '../../support/trading-builders.ts';

/** The report without the breaks of its lines at 80 columns. */
const unwrapped = (record: RunRecord) => describeRun(record).replace(/\n {14}/g, ' ');
const later = (mid: number) => Array<number>(8).fill(mid);

describe('figures of fills', () => {
  const record = aRunRecord({
    fills: [
      // Bought at 1,000,000 with the middle at 1,000,010; a second later it is worth 1,000,004.
      aRecordedFill({ laterMidTicks: later(1_000_004), queueAheadLots: 0, queueAtRestLots: 30 }),
      // Sold 30 lots at 1,000,021 with the middle half a tick above 1,000,010.
      aRecordedFill({
        orderId: '102' as OrderId,
        side: 'sell',
        priceTicks: 1_000_021 as Ticks,
        sizeLots: 30 as Lots,
        fee: null,
        midTicks: 1_000_010.5,
        laterMidTicks: later(Number.NaN),
      }),
      aRecordedFill({ role: 'taker', midTicks: 999_990, fee: quantums(4_000n) }),
    ],
  });
  const { fills, pnl, orders } = jsonOfRun({
    ...record,
    counts: { ...record.counts, ordersPlaced: 4 },
  });

  test('capture the spread against the middle at the fill, exact to half a tick', () => {
    // (10 x 10 + 10.5 x 30) ticks x lots of 100 quantums.
    expect(fills.maker.spreadCapture).toBe('0.041500');
    expect(fills.taker.spreadCapture).toBe('-0.010000');
    expect(fills.maker.turnover).toBe('4000.063000');
    expect(fills.maker.spreadCaptureBps).toBeCloseTo((0.0415 / 4000.063) * 1e4, 9);
  });

  test('hold the later middle against the price and against the middle, where it is known', () => {
    expect(fills.maker.markouts[2]).toEqual({
      horizonMs: 1_000,
      fills: 1,
      bps: 0.04,
      midMarkoutBps: -0.059999400006,
    });
    expect(fills.taker.markouts[0]).toEqual({ horizonMs: 100, fills: 0, bps: null, midMarkoutBps: null });
  });

  test('count fees that are not known, and never take them for none', () => {
    expect(fills.maker).toMatchObject({ fees: '-0.001000', fillsWithoutFee: 1 });
    expect(fills.taker).toMatchObject({ fees: '0.004000', feesBps: 0.04 });
  });

  test('average the queue before orders, and count orders with a fill', () => {
    expect(fills.queue).toEqual({ fills: 1, queueAheadAtEntryLots: 30, queueAheadAtFillLots: 0 });
    expect(orders).toMatchObject({ ordersWithFill: 2, fillRatio: 0.5 });
  });

  test('take spread, fees and funding off the profit: the rest is what prices did', () => {
    expect(pnl.inventoryPnl).toBe('-0.031500');
  });
});

describe('figures of equity', () => {
  test('come from the longest period that gives 100 returns, which is printed', () => {
    const samples = (rows: number) => ({
      ...aRunRecord().samples,
      atMs: Float64Array.from({ length: rows }, (_, at) => START_MS + at * 1_000),
      equity: Float64Array.from({ length: rows }, (_, at) => 1_000 + at),
    });
    expect(returnsOf(samples(200))).toMatchObject({ periodMs: 1_000, periodsPerYear: 31_536_000 });
    expect(returnsOf(samples(7_000))).toMatchObject({
      periodMs: 60_000,
      periodsPerYear: (117 * 365 * 86_400) / 6_999,
    });
    expect(returnsOf(samples(7_000)).values).toHaveLength(117);
    expect(unwrapped(aDay({ hours: 2 }))).toContain(
      'no annual figures: 120 returns of 1 min, expected at least 30 returns of 1 h or 20 of 1 d',
    );
  });

  test('fall from the highest so far', () => {
    expect([...drawdownOf(Float64Array.from([5, 7, 6, 8, 2]))]).toEqual([0, 0, -1, 0, -6]);
    const equity = Float64Array.from([
      1_000, 1_100, 990, 1_200, 1_150, 1_150, 1_150, 1_150, 1_150, 1_150, 1_150,
    ]);
    const { returns } = jsonOfRun(aRunRecord({ samples: { ...aRunRecord().samples, equity } }));
    expect(returns).toMatchObject({
      maxDrawdown: -0.1,
      maxDrawdownAmount: '0.000110',
      maxDrawdownAt: new Date(START_MS + 2_000).toISOString(),
    });
  });

  test('say nothing of a run without time', () => {
    const { returns } = jsonOfRun(
      aRunRecord({
        toMs: unixMs(START_MS),
        samples: { ...aRunRecord().samples, atMs: new Float64Array(), equity: new Float64Array() },
      }),
    );
    expect(returns).toMatchObject({ count: 0, annualizedReturn: null, sharpe: null, maxDrawdown: 0 });
  });
});

describe('thinning for a chart', () => {
  test('keeps order, both ends and every peak', () => {
    const values = Float64Array.from({ length: 10_000 }, (_, at) => Math.sin(at / 900));
    values[4_321] = 9;
    values[8_765] = -9;
    const kept = thinned(values, 200);
    expect(kept.length).toBeLessThanOrEqual(202);
    expect([kept[0], kept.at(-1)]).toEqual([0, 9_999]);
    expect([...kept]).toEqual([...kept].sort((a, b) => a - b));
    expect([...kept]).toEqual(expect.arrayContaining([4_321, 8_765]));
  });

  test('leaves a short series alone, and keeps the holes of a long one', () => {
    expect([...thinned([3, 2, 1], 10)]).toEqual([0, 1, 2]);
    const values = new Float64Array(1_000).fill(5);
    values.fill(Number.NaN, 400, 600);
    const kept = [...thinned(values, 50)];
    expect(kept.some((at) => Number.isNaN(values[at]))).toBe(true);
  });
});

describe('the text of a report', () => {
  const text = unwrapped(aDay({ hours: 1 }));

  test('prints the identity with its residual and the assumptions beside the profit', () => {
    expect(text).toMatch(
      /^PnL {11}[+-][\d,.]+ = realized .+ \+ unrealized 0\.000000 \+ funding 0\.000000 - fees/m,
    );
    expect(text).toContain('residual against the ledger 0.000000');
    expect(text).toContain('assumption    fill model queue-power with n = 3');
  });

  test('prints no profit of a model without its band, or says that there is none', () => {
    expect(text).toContain('band          none: the fill and latency models of this run were not calibrated');
    const band = { low: quantums(-1_000_000n), high: quantums(2_500_000n), basis: '95 % of resampled hours' };
    expect(describeRun(aDay({ hours: 1 }))).not.toContain('95 %');
    expect(describeRun({ ...aDay({ hours: 1 }), band })).toContain(
      'band          -1.000000 to +2.500000 around the PnL: 95 % of resampled hours',
    );
  });

  test('is the same for the same record', () => {
    expect(unwrapped(aDay({ hours: 1 }))).toBe(text);
  });
});
