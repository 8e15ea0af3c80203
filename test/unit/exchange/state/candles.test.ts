import { describe, expect, test } from 'vitest';
import { unixMs } from '../../../../src/core/index.ts';
import { Candles, isCandleInterval } from '../../../../src/exchange/state/candles.ts';

const at = (minute: number, priceTicks: number, lots = 1) => ({
  priceTicks,
  lots,
  atMs: unixMs(1_767_700_800_000 + minute * 60_000),
});

describe('Candles', () => {
  test('a bar keeps open, extremes, close, volume and count of its interval', () => {
    const candles = new Candles();
    for (const trade of [at(0, 100, 2), at(1, 130), at(2, 90, 4), at(4, 110)]) candles.add(trade);
    expect(candles.current('5m')).toEqual({
      startAtMs: 1_767_700_800_000,
      openTicks: 100,
      highTicks: 130,
      lowTicks: 90,
      closeTicks: 110,
      volumeLots: 8,
      tradeCount: 4,
    });
    expect(candles.list('1m', { fromMs: 0, toMs: 2e12, limit: 10 })).toHaveLength(4);
  });

  test('a new bar begins with the first trade of the next interval, none for an empty one', () => {
    const candles = new Candles();
    for (const trade of [at(0, 100), at(20, 101)]) candles.add(trade);
    const starts = candles
      .list('5m', { fromMs: 0, toMs: 2e12, limit: 10 })
      .map((bar) => (bar.startAtMs - 1_767_700_800_000) / 60_000);
    expect(starts).toEqual([0, 20]);
    expect(candles.current('1h')?.tradeCount).toBe(2);
  });

  test('lists the newest bars within a range, ascending', () => {
    const candles = new Candles();
    for (let minute = 0; minute < 30; minute++) candles.add(at(minute, 100 + minute));
    const bars = candles.list('1m', { fromMs: at(5, 1).atMs, toMs: at(20, 1).atMs, limit: 3 });
    expect(bars.map((bar) => bar.openTicks)).toEqual([118, 119, 120]);
  });

  test('knows the intervals of the interface and no others', () => {
    expect(['1m', '1d', '2m', '', null].map(isCandleInterval)).toEqual([true, true, false, false, false]);
  });
});
