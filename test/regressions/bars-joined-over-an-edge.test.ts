/**
 * Four-hour bars from 02:00 joined to days ended at 00:00 with the price of 02:00: rules decided on prices of later, and
 * funding of the time between was paid on positions that were not there yet. Days of a tape that began at 16:00 were
 * labeled as if they began at midnight.
 */
import { describe, expect, test } from 'vitest';
import { barsOfTape } from '../../src/research/bars/from-tape.ts';
import { longerBars } from '../../src/research/bars/gather.ts';
import type { BarColumns } from '../../src/research/bars/index.ts';
import { EVENT, FLAG_END } from '../../src/tape/format/index.ts';
import { barsOf } from '../support/bars.ts';
import { memoryTape } from '../support/memory-tape.ts';

const REFUSED = expect.objectContaining({ code: 'BARS_OFFSET_INVALID' }) as Error;
const HOUR_MS = 3_600_000;
const HOUR_US = HOUR_MS * 1_000;
const MIDNIGHT_US = Date.UTC(2024, 0, 1) * 1_000;

/** `count` bars of `hours`, the first `fromHours` after midnight; each closes one tick above its open. */
function partsOf(count: number, hours: number, fromHours: number): BarColumns {
  const made = barsOf(Array.from({ length: count }, (_, at) => [100 + at, 102 + at, 99 + at, 101 + at]));
  const openUs = made.openUs.map((_us, at) => MIDNIGHT_US + (fromHours + at * hours) * HOUR_US);
  return { ...made, barUs: hours * HOUR_US, openUs };
}

/** A tape of these bars as candles, each published at its end. */
function tapeOf({ rows, barUs, openUs, open, high, low, close }: BarColumns) {
  const market = {
    symbol: 'BTC',
    priceDecimals: 1,
    sizeDecimals: 3,
    tickStep: 1,
    lotStep: 1,
    depth: 'none',
  } as const;
  const parts = Array.from({ length: rows }, (_, at) => {
    const exchangeUs = (openUs[at] ?? 0) + barUs;
    const all = { flags: 0, market: 0, exchangeUs, receivedUs: exchangeUs, price: 0, size: 0, id: 0 };
    return [
      { ...all, kind: EVENT.candleOpen, price: open[at] ?? 0, id: barUs / 1_000 },
      { ...all, kind: EVENT.candleHigh, price: high[at] ?? 0, id: (openUs[at] ?? 0) / 1_000 },
      { ...all, kind: EVENT.candleLow, price: low[at] ?? 0 },
      { ...all, kind: EVENT.candleClose, price: close[at] ?? 0, size: 1, flags: FLAG_END },
    ];
  });
  return memoryTape([market], parts.flat());
}

/** Hours after midnight at which bars begin, with open and close. */
const begins = (bars: BarColumns | undefined) =>
  Array.from({ length: bars?.rows ?? 0 }, (_, at) => [
    ((bars?.openUs[at] ?? 0) - MIDNIGHT_US) / HOUR_US,
    bars?.open[at],
    bars?.close[at],
  ]);

const read = (bars: BarColumns, barMs?: number, offsetMs?: number) =>
  barsOfTape(tapeOf(bars), { market: 0, barMs, offsetMs, fundingIntervalMs: HOUR_MS })?.bars;

describe('bars of a file', () => {
  test.each([
    [4, 2, 24],
    [1, 0.5, 4],
    [8, 7, 24],
    [12, 16, 24],
  ])(
    'of %d h from %d h that straddle the edge of %d h are refused with the offset that fits',
    (hours, from, longer) => {
      const parts = partsOf(30, hours, from);
      const thrown = () => longerBars(parts, longer * HOUR_US);
      expect(thrown).toThrow(REFUSED);
      const offset = (from * 3_600) % (hours * 3_600);
      expect(thrown).toThrow('got one from');
      expect(() => longerBars(parts, longer * HOUR_US, offset * 1_000_000)).not.toThrow();
    },
  );

  test('begin where the offset says, and no bar ends before its last part', () => {
    const days = longerBars(partsOf(14, 4, 2), 24 * HOUR_US, 2 * HOUR_US);
    expect(begins(days)).toEqual([
      [2, 100, 106],
      [26, 106, 112],
    ]);
  });

  test('that begin at the edge are joined as ever', () => {
    expect(begins(longerBars(partsOf(12, 4, 0), 24 * HOUR_US))).toEqual([
      [0, 100, 106],
      [24, 106, 112],
    ]);
  });
});

describe('candles of a tape', () => {
  test('that straddle the edge are refused, or begin where the offset says', () => {
    const parts = partsOf(14, 4, 2);
    expect(() => read(parts, 24 * HOUR_MS)).toThrow(REFUSED);
    expect(begins(read(parts, 24 * HOUR_MS, 2 * HOUR_MS))).toEqual([
      [2, 100, 106],
      [26, 106, 112],
    ]);
  });

  test('of the length that is asked for keep their own beginning', () => {
    const days = partsOf(3, 24, 16);
    for (const barMs of [undefined, 24 * HOUR_MS])
      expect(begins(read(days, barMs))).toEqual([
        [16, 100, 101],
        [40, 101, 102],
        [64, 102, 103],
      ]);
  });
});
