/**
 * Symptom, found with a mapping that named us for a column of ms: a tape of 1970 whose 200 s were 0.2 s, with exit code 0.
 * A time that cannot be one is refused, and the error names the line, the column and the unit that fits.
 */
import { describe, expect, test } from 'vitest';
import { aMapping, aRecording, BEGIN_MS, importSmall, refusalOf } from '../support/small-import.ts';

const SCALE = { s: 0.001, ms: 1, us: 1_000, ns: 1_000_000 } as const;
type Unit = keyof typeof SCALE;

/** 2026-01-06 in `unit`, whole. */
function timeIn(unit: Unit, ms = 0): string {
  return String((BigInt(BEGIN_MS + ms) * 1_000_000n) / BigInt(1_000_000 / SCALE[unit]));
}

const pairs = (['s', 'ms', 'us', 'ns'] as const).flatMap((read) =>
  (['s', 'ms', 'us', 'ns'] as const).filter((file) => file !== read).map((file) => [read, file] as const),
);

describe('a column of format csv', () => {
  test.each(pairs)('read in %s that is in %s is refused, in each column of times', async (read, file) => {
    const { code, words } = await refusalOf(
      importSmall({
        format: 'csv',
        mapping: aMapping('trades', read),
        paths: [aRecording({ 't.csv': ['time,price,qty,side,id', `${timeIn(file)},1,1,buy,1`] })],
      }),
    );
    expect(code).toBe('TAPE_TIME_INVALID');
    expect(words).toMatch(
      new RegExp(`column time at .*t.csv:2, got .* in ${file} it is 2026-01-06[\\s\\S]*unit: ${file}`),
    );
    const received = aMapping('trades', 'ms', `    received: {column: seen, unit: ${read}}`);
    const seen = ['time,seen,price,qty,side,id', `${timeIn('ms')},${timeIn(file)},1,1,buy,1`];
    expect(
      await refusalOf(
        importSmall({ format: 'csv', mapping: received, paths: [aRecording({ 't.csv': seen })] }),
      ),
    ).toMatchObject({ code: 'TAPE_TIME_INVALID', words: expect.stringContaining('column seen') });
  });

  test.each(['s', 'ms', 'us', 'ns'] as const)('in %s is read as such', async (unit) => {
    const paths = [aRecording({ 't.csv': ['time,price,qty,side,id', `${timeIn(unit)},1,1,buy,1`] })];
    for (const named of [unit, 'auto'])
      expect((await importSmall({ format: 'csv', mapping: aMapping('trades', named), paths })).rows).toEqual([
        '0 buyTrade 1 1 1',
      ]);
  });
});

const us = (at: number) => (BEGIN_MS + at) * 1_000;

describe('a format that fixes its units', () => {
  test.each([
    [
      'tardis-csv',
      'binance_trades_2026-01-06_BTCUSDT.csv',
      [
        'exchange,symbol,timestamp,local_timestamp,id,side,price,amount',
        `b,BTCUSDT,${BEGIN_MS},${us(0)},1,buy,1,1`,
      ],
      'timestamp',
    ],
    [
      'tardis-csv',
      'binance_trades_2026-01-06_BTCUSDT.csv',
      [
        'exchange,symbol,timestamp,local_timestamp,id,side,price,amount',
        `b,BTCUSDT,${us(0)},${BEGIN_MS},1,buy,1,1`,
      ],
      'local_timestamp',
    ],
    [
      'hyperliquid',
      'trades_BTC.csv',
      ['timestamp,price,size,side,trade_id,exchange_timestamp', `${BEGIN_MS / 1_000}.5,1,1,buy,1,${us(0)}`],
      'exchange_timestamp',
    ],
    [
      'hyperliquid',
      'trades_BTC.csv',
      ['timestamp,price,size,side,trade_id,exchange_timestamp', `${BEGIN_MS},1,1,buy,1,${BEGIN_MS}`],
      'timestamp',
    ],
    ['gemini', 'trade.csv', ['time_seconds,price,size,is_buyer_maker', `${BEGIN_MS},1,1,0`], 'time_seconds'],
    [
      'standx',
      'trades_2026-01-06_00.csv',
      ['exch_ms,recv_us,price,qty,side', `${BEGIN_MS / 1_000},${us(0)},1,1,SELL`],
      'exch_ms',
    ],
    [
      'binance-um',
      'btcusdt_20260106',
      [`${us(0)} ${JSON.stringify({ lastUpdateId: 1, E: us(0), T: us(0), bids: [['1', '1']], asks: [] })}`],
      'T',
    ],
    ['feed', 'mood.jsonl', [`{"atMs":${us(0)},"value":1}`], 'atMs'],
  ] as const)('%s refuses another one: %s', async (format, name, lines, column) => {
    const { code, words } = await refusalOf(importSmall({ format, paths: [aRecording({ [name]: lines })] }));
    expect(code).toBe('TAPE_TIME_INVALID');
    expect(words).toMatch(new RegExp(`column ${column} at .*${name}:\\d`));
  });

  test('lobster refuses milliseconds after midnight; a day of 2008 is in the name', async () => {
    const named = (day: string, time: string) =>
      importSmall({
        format: 'lobster',
        paths: [
          aRecording({ [`AAPL_${day}_34200000_57600000_message_10.csv`]: [`${time},1,7,18,5853300,1`] }),
        ],
      });
    expect(await refusalOf(named('2026-01-06', '34200017'))).toMatchObject({
      code: 'TAPE_TIME_INVALID',
      words: expect.stringContaining('which fits in ms'),
    });
    expect((await named('2008-01-02', '34200.017')).rows).toHaveLength(2);
  });
});

test('times that are a thousand times too close as a whole are refused', async () => {
  const lines = Array.from({ length: 2_000 }, (_, at) => `${us(0) + at * 10},1,1,buy,${at + 1}`);
  const paths = [aRecording({ 't.csv': ['time,price,qty,side,id', ...lines] })];
  expect(
    await refusalOf(importSmall({ format: 'csv', mapping: aMapping('trades', 'us'), paths })),
  ).toMatchObject({
    code: 'TAPE_SPAN_INVALID',
  });
});

test('receive times over a thousandth of the span are refused', async () => {
  const lines = Array.from({ length: 200 }, (_, at) => `${us(at * 1_000)},${us(at)},1,1,buy,${at + 1}`);
  const paths = [aRecording({ 't.csv': ['time,seen,price,qty,side,id', ...lines] })];
  const mapping = aMapping('trades', 'us', '    received: {column: seen, unit: us}');
  expect(await refusalOf(importSmall({ format: 'csv', mapping, paths }))).toMatchObject({
    code: 'TAPE_SPAN_INVALID',
  });
});
