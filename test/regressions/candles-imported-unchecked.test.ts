/**
 * Candles of format csv were not checked: two files pasted together gave candles that went back in time, and candles of
 * five minutes under an interval of one gave a tape of holes. Times in microseconds ended as a bug of ballast.
 */
import { describe, expect, test } from 'vitest';
import { candlesMapping, importText } from '../support/import-text.ts';

const AT = 1_735_689_600_000;
const MINUTE = 60_000;

type Formats = 'csv' | 'binance-candles' | 'hyperliquid';
const HEADS = { csv: 'time', 'binance-candles': 'ts_ms', hyperliquid: 'ts_ms' } as const;

/** Imports candles that begin at these minutes; `rows`: other rows. */
async function imported(format: Formats, rows: readonly string[], interval = '1m') {
  const head = `${HEADS[format]},open,high,low,close,volume`;
  const files = { [`BTCUSDT_${interval}.csv`]: [head, ...rows].join('\n') };
  return importText(format, files, format === 'csv' ? { mapping: candlesMapping(interval) } : {});
}

const candle = (atMs: number | string, prices = '100,101,99,100') => `${atMs},${prices},5`;
const minutes = (from: number, to: number, step = 1) =>
  Array.from({ length: (to - from) / step }, (_, at) => candle(AT + (from + at * step) * MINUTE));

describe.each<Formats>(['csv', 'binance-candles', 'hyperliquid'])('candles of format %s', (format) => {
  test('in order are taken', async () => {
    const { rows, result } = await imported(format, minutes(0, 60));
    expect(rows).toHaveLength(240);
    expect(result?.counts).toEqual({});
  });

  test.each([
    ['overlap', [...minutes(0, 30), ...minutes(25, 60)], 32],
    ['repeat', [...minutes(0, 5), ...minutes(4, 9)], 7],
    // The second row could still be put before the first.
    ['come in reverse', minutes(0, 9).toReversed(), 4],
    ['are nearer than they are long', [...minutes(0, 5), candle(AT + 4.5 * MINUTE)], 7],
  ])('that %s are refused with their line', async (_what, rows, line) => {
    const { error } = await imported(format, rows);
    expect(error).toMatch(
      /TAPE_LINE_MALFORMED: expected candles of 60000 ms, one after the other, from .* on at/,
    );
    expect(error).toContain(`BTCUSDT_1m.csv:${line}, got `);
  });

  test('that are missing leave a hole', async () => {
    const { rows, result } = await imported(format, [...minutes(0, 3), ...minutes(7, 12)]);
    expect(result?.counts).toEqual({ gaps: 1, gapsMs: 4 * MINUTE });
    // It is known when the missing candle should have come.
    expect(rows.filter((row) => row.includes(' hole '))).toEqual([
      `${(AT + 4 * MINUTE) * 1_000} hole 0 0 ${(AT + 8 * MINUTE) * 1_000}`,
    ]);
  });

  test('whose prices are not around each other are counted', async () => {
    const { result } = await imported(format, [...minutes(0, 3), candle(AT + 3 * MINUTE, '100,99,98,100')]);
    expect(result?.counts).toEqual({ badBars: 1 });
  });

  test('that are longer than the interval says are refused with the length they have', async () => {
    const { error } = await imported(format, minutes(0, 60, 5));
    expect(error).toMatch(
      /expected rows as far apart as candles of 60000 ms are long at .*_1m.csv:3, got 11 of 11 rows 300000 ms/,
    );
    expect(error).toContain('Name the length that the candles have, 300000 ms');
    const { result } = await imported(format, minutes(0, 60, 5), '5m');
    expect(result?.rows).toBe(48);
  });

  test('seldom traded are taken, whatever is missing', async () => {
    const { result } = await imported(
      format,
      [0, 2, 7, 12, 15].map((at) => candle(AT + at * MINUTE)),
    );
    expect(result?.counts).toEqual({ gaps: 4, gapsMs: 11 * MINUTE });
  });

  test.each([
    ['microseconds', (at: number) => `${AT + at * MINUTE}000`],
    ['nanoseconds', (at: number) => `${AT + at * MINUTE}000000`],
    ['microseconds from some row on', (at: number) => `${AT + at * MINUTE}${at < 3 ? '' : '000'}`],
  ])('with times in %s are read', async (_what, time) => {
    const expected = await imported(format, minutes(0, 9));
    const { rows, error } = await imported(
      format,
      Array.from({ length: 9 }, (_, at) => candle(time(at))),
    );
    expect({ rows, error }).toEqual({ rows: expected.rows, error: '' });
  });

  test.each([
    ['no unit', `${AT}00`, 'ms, us or ns'],
    ['parts of a millisecond', `${AT}001`, 'candles that begin at a whole millisecond'],
    ['no number', 'x', 'a time in s, ms, us or ns'],
  ])('with times of %s are refused', async (_what, time, words) => {
    const { error } = await imported(format, [candle(AT - MINUTE), candle(time)]);
    expect(error).toMatch(new RegExp(`TAPE_LINE_MALFORMED: expected .*${words}.* at .*BTCUSDT_1m.csv:3`));
  });
});

test.each(['csv', 'binance-candles'] as const)(
  'candles in two files of format %s that overlap are refused',
  async (format) => {
    const head = `${HEADS[format]},open,high,low,close,volume`;
    const files = {
      'a/BTCUSDT_1m.csv': [head, ...minutes(0, 30)].join('\n'),
      'b/BTCUSDT_1m.csv': [head, ...minutes(28, 40)].join('\n'),
    };
    const mapping = format === 'csv' ? { mapping: candlesMapping() } : {};
    const { error } = await importText(format, files, { paths: ['a', 'b'], ...mapping });
    expect(error).toMatch(/expected candles of 60000 ms, one after the other/);
  },
);

test.each(['binance-candles', 'hyperliquid'] as const)(
  'a settlement of format %s is charged once',
  async (format) => {
    const rows = ['ts_ms,funding_rate', `${AT},0.0001`, `${AT},0.0001`];
    const { error } = await importText(format, { 'BTCUSDT_funding_8h.csv': rows.join('\n') });
    expect(error).toMatch(
      /expected a settlement after the one before at .*_8h.csv:3, got 2025-01-01T00:00:00.000Z/,
    );
  },
);
