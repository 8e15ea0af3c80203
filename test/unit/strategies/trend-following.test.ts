import { describe, expect, test } from 'vitest';
import { unixMs } from '../../../src/core/index.ts';
import { type Candle, lots, ticks } from '../../../src/domain/index.ts';
import trendFollowing from '../../../strategies/trend-following/index.ts';
import { Trend } from '../../../strategies/trend-following/trend.ts';
import { ScriptedMarket, ScriptedRun } from '../../support/scripted-context.ts';
import { BTC, START_MS } from '../../support/trading-builders.ts';

const BASE = { position: '0.030', slice: '0.010', bar: '1s', fastBars: '2', slowBars: '4' };

function aRun(parameters: Readonly<Record<string, unknown>> = {}) {
  const market = new ScriptedMarket();
  const run = new ScriptedRun(trendFollowing, { ...BASE, ...parameters }, { markets: [market] });
  const show = (mid: number) => {
    market.bids = [[mid - 100, 500]];
    market.asks = [[mid + 100, 500]];
  };
  show(1_000_000);
  /** A bar for each price. */
  const bars = (...mids: readonly number[]) => {
    for (const mid of mids) {
      show(mid);
      run.clock.advance(1_000);
    }
  };
  return { market, run, bars };
}

const RISE = [1_000_000, 1_001_000, 1_002_000, 1_003_000];
const FALL = [1_002_000, 1_000_000, 998_000, 996_000];

function wantedOf(run: ScriptedRun) {
  const { bids = [], asks = [] } = run.wanted.get(BTC) ?? {};
  return [bids, asks].map((side) => side.map(({ priceTicks, sizeLots }) => [priceTicks, sizeLots]));
}

describe('the direction', () => {
  test('is not told before the slow mean has all its bars, then turns with the means', () => {
    const trend = new Trend({ fastBars: 2, slowBars: 4 });
    expect(RISE.map((close) => trend.observe(close, 0))).toEqual([0, 0, 0, 1]);
    expect(FALL.map((close) => trend.observe(close, 0)).at(-1)).toBe(-1);
  });

  test('holds within its band', () => {
    const trend = new Trend({ fastBars: 2, slowBars: 4 });
    for (const close of RISE) trend.observe(close, 100);
    expect(trend.direction).toBe(1);
    for (const close of FALL) trend.observe(close, 1_000_000);
    expect(trend.direction).toBe(1);
  });
});

describe('orders', () => {
  test('none before there are enough bars, then slices at the touch in the direction', () => {
    const { run, bars } = aRun();
    run.handlers.onStart?.();
    expect(run.pulls).toEqual([{ reason: 'no bar of 1000 ms has ended yet', symbol: BTC }]);
    bars(...RISE);
    expect(wantedOf(run)).toEqual([[[1_002_900, 10]], []]);
  });

  test('none when the position is there, and the other way round when the direction turns', () => {
    const { run, bars, market } = aRun();
    run.handlers.onStart?.();
    bars(...RISE);
    market.inventoryLots = lots(30);
    bars(1_004_000);
    expect(run.pulls.at(-1)?.reason).toBe('the position is as it should be');
    bars(...FALL);
    expect(wantedOf(run)).toEqual([[], [[996_100, 10]]]);
  });

  test('goes flat instead of short where it may not be short', () => {
    const { run, bars, market } = aRun({ shorts: 'false' });
    run.handlers.onStart?.();
    bars(...RISE, ...FALL);
    expect(run.pulls.at(-1)?.reason).toBe('the position is as it should be');
    market.inventoryLots = lots(4);
    bars(995_000);
    expect(wantedOf(run)).toEqual([[], [[995_100, 4]]]);
  });

  test('gives up a position that lost too much until the direction has turned, also over a restart', () => {
    const { run, bars, market } = aRun({ stopPpm: '1000' });
    run.handlers.onStart?.();
    bars(...RISE);
    Object.assign(market, { inventoryLots: lots(30), averageEntryTicks: 1_005_000 });
    bars(1_003_500);
    expect(wantedOf(run)).toEqual([[], [[1_003_600, 10]]]);
    expect(run.handlers.onSave?.()).toEqual({ [BTC]: 1 });

    const again = aRun({ stopPpm: '1000' });
    again.run.handlers.onLoad?.({ [BTC]: 1 });
    again.run.handlers.onStart?.();
    again.bars(...RISE);
    expect(again.run.pulls.at(-1)?.reason).toBe('the position is as it should be');
    again.bars(...FALL);
    expect(again.run.handlers.onSave?.()).toEqual({});
    expect(wantedOf(again.run)).toEqual([[], [[996_100, 10]]]);
  });

  test('has a past where there are candles of its length', () => {
    const { run, market } = aRun({ bar: '1m' });
    market.minuteCandles = RISE.map((close, at) => aCandle(close, START_MS - (4 - at) * 60_000));
    run.handlers.onStart?.();
    expect(wantedOf(run)).toEqual([[[999_900, 10]], []]);
  });

  test.each([
    ['a fast mean that is not faster', { fastBars: '4' }, 'fastBars'],
    ['a bar that is too short', { bar: '500ms' }, 'bar'],
  ])('error: %s is refused by its path', (_title, change, path) => {
    const checked = trendFollowing.check({ ...BASE, ...change });
    expect(checked).toMatchObject({ isValid: false, problems: [{ path: [path] }] });
  });
});

function aCandle(closeTicks: number, startAtMs: number): Candle {
  const price = ticks(closeTicks);
  return {
    symbol: BTC,
    interval: '1m',
    startAtMs: unixMs(startAtMs),
    openTicks: price,
    highTicks: price,
    lowTicks: price,
    closeTicks: price,
    volumeLots: lots(1),
    tradeCount: 1,
  };
}
