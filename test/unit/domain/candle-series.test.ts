/** Candles of every interval, whatever comes of them. */
import { describe, expect, test } from 'vitest';
import { unixMs } from '../../../src/core/index.ts';
import { CandleSeries } from '../../../src/domain/candle-series.ts';
import {
  CANDLE_INTERVALS,
  type Candle,
  type CandleInterval,
  lots,
  type Trade,
  ticks,
} from '../../../src/domain/index.ts';
import { BTC } from '../../support/trading-builders.ts';

const DAY_MS = Date.UTC(2026, 0, 6);
const MINUTES: Readonly<Record<CandleInterval, number>> = {
  '1m': 1,
  '5m': 5,
  '15m': 15,
  '1h': 60,
  '4h': 240,
  '1d': 1_440,
};

/** The minute `at` of a day: it opens at `at`, and closes a tick higher. */
const minute = (at: number): Candle => ({
  ...{ symbol: BTC, interval: '1m', startAtMs: unixMs(DAY_MS + at * 60_000) },
  ...{
    openTicks: ticks(1_000 + at),
    highTicks: ticks(1_005 + at),
    lowTicks: ticks(995 + at),
    closeTicks: ticks(1_001 + at),
  },
  ...{ volumeLots: lots(10), tradeCount: 2 },
});
const trade = (at: number, price: number): Trade =>
  ({ symbol: BTC, priceTicks: ticks(price), sizeLots: lots(3), atMs: unixMs(DAY_MS + at) }) as Trade;

describe('candles of each interval', () => {
  test.each(CANDLE_INTERVALS)('%s is made of minutes', (interval) => {
    const series = new CandleSeries();
    for (let at = 0; at < 600; at++) series.add(minute(at));
    const length = MINUTES[interval];
    const bars = series.of(interval);
    expect(bars).toHaveLength(Math.ceil(600 / length));
    const in1 = Math.min(length, 600);
    expect(bars[0]).toEqual({
      ...{
        symbol: BTC,
        interval,
        startAtMs: DAY_MS,
        openTicks: 1_000,
        highTicks: 1_004 + in1,
        lowTicks: 995,
      },
      ...{ closeTicks: 1_000 + in1, volumeLots: 10 * in1, tradeCount: 2 * in1 },
    });
  });

  test('a bar whose beginning is not known is not shown', () => {
    const series = new CandleSeries();
    for (let at = 3; at < 12; at++) series.add(minute(at));
    expect(series.of('5m').map(({ startAtMs }) => (startAtMs - DAY_MS) / 60_000)).toEqual([5, 10]);
    expect(series.of('1d')).toEqual([]);
  });

  test('minutes are made of trades until candles come', () => {
    const series = new CandleSeries();
    for (const [at, price] of [
      [0, 100],
      [20_000, 104],
      [59_999, 99],
      [60_000, 101],
      [400_000, 102],
    ] as const)
      series.addTrade(trade(at, price));
    expect(series.of('1m')).toMatchObject([
      {
        startAtMs: DAY_MS,
        openTicks: 100,
        highTicks: 104,
        lowTicks: 99,
        closeTicks: 99,
        volumeLots: 9,
        tradeCount: 3,
      },
      { startAtMs: DAY_MS + 60_000, openTicks: 101, volumeLots: 3 },
      { startAtMs: DAY_MS + 360_000, openTicks: 102 },
    ]);
    expect(series.of('5m').map(({ volumeLots }) => volumeLots)).toEqual([12, 3]);
    series.add(minute(7));
    expect(series.of('1m')).toEqual([minute(7)]);
  });

  test('candles that came are shown as they came', () => {
    const series = new CandleSeries();
    const hour: Candle = { ...minute(0), interval: '1h', volumeLots: lots(1_234) };
    series.add(hour);
    for (let at = 0; at < 60; at++) series.add(minute(at));
    expect(series.of('1h')).toEqual([hour]);
    expect(series.of('5m')).toHaveLength(12);
  });

  test('the newest bars of a history are made of what is shorter, to the last trade', () => {
    const of = (interval: CandleInterval, at: number, volume: number): Candle => ({
      ...minute(at),
      ...{ interval, volumeLots: lots(volume) },
    });
    const series = new CandleSeries();
    // History as it is at minute 1,000 of the second day, with the day and the hour open.
    series.add(of('1d', 0, 14_400), true);
    series.add(of('1d', 1_440, 9_999), true);
    for (let hour = 24; hour < 41; hour++) series.add(of('1h', hour * 60, hour === 40 ? 395 : 600), true);
    for (let at = 2_300; at < 2_440; at++) series.add(minute(at), true);
    // Live from here: only minutes come.
    for (let at = 2_440; at < 2_500; at++) series.add(minute(at));
    const days = series.of('1d');
    expect(days.map(({ volumeLots }) => volumeLots)).toEqual([14_400, (2_500 - 1_440) * 10]);
    expect(series.of('1h').at(-1)).toMatchObject({ volumeLots: 400 });
    expect(series.of('1h').at(-2)).toMatchObject({ volumeLots: 600 });
    // History of a replica that is behind takes no bar back.
    series.add({ ...minute(2_499), volumeLots: lots(1) }, true);
    expect(series.of('1m').at(-1)).toEqual(minute(2_499));
  });
});
