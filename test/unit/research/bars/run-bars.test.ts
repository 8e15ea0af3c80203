/** @module `ballast bars` below the command line: files read exactly, what is wrong named with its place. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { parseConfig } from '../../../../src/config/index.ts';
import { type ConfiguredBars, runConfiguredBars } from '../../../../src/research/bars/index.ts';
import { ROOT } from '../../../tidy/source.ts';

const FOLDER = mkdtempSync(join(tmpdir(), 'ballast-bars-'));
afterAll(() => rmSync(FOLDER, { recursive: true }));

const HEAD = 'time,open,high,low,close,volume';
const HOURS = [
  '1767657600,60000,60100,59900,60050,1.5',
  '1767661200,60050,60100.5,59900,60000,2.25',
  '1767664800,60000,60100,59900,60050,0',
];

function file(name: string, lines: readonly string[]): string {
  const path = join(FOLDER, name);
  const text = `${lines.join('\n')}\n`;
  writeFileSync(path, name.endsWith('.gz') ? gzipSync(text) : text);
  return path;
}

function configOf(changes: { parameters?: string; strategies?: string; markets?: string } = {}) {
  const {
    parameters = 'position: 0.05, slice: 0.01, bar: 1h',
    strategies = '',
    markets = 'BTC-USD',
  } = changes;
  const text = `environment:
  name: sim
markets:
  - symbol: BTC-USD
    leverage: 5
  - symbol: ETH-USD
strategies:
  - name: trend
    module: ../strategies/trend-following/index.ts
    markets: [${markets}]
    parameters: { ${parameters} }
${strategies}risk:
  capital: 10000
`;
  return parseConfig(text, join(ROOT, 'configs', 'bars.yaml'));
}

const run = (options: Partial<ConfiguredBars>) => runConfiguredBars({ source: configOf(), ...options });
const runLines = (lines: readonly string[], options: Partial<ConfiguredBars> = {}) =>
  run({ csv: file('bars.csv', lines), sizeDecimals: 2, ...options });

describe('a file of bars', () => {
  test('is read exactly, with as many decimals as it shows', async () => {
    const { bars, market, madeOf } = await run({ csv: file('bars.csv', [HEAD, ...HOURS]) });
    expect({ priceDecimals: market.priceDecimals, sizeDecimals: market.sizeDecimals, madeOf }).toEqual({
      ...{ priceDecimals: 1, sizeDecimals: 2, madeOf: 'file' },
    });
    expect(bars.barUs).toBe(3_600_000_000);
    expect([...bars.high]).toEqual([601_000, 601_005, 601_000]);
    expect([...bars.volume]).toEqual([150, 225, 0]);
    expect(bars.openUs[0]).toBe(Date.parse('2026-01-06T00:00:00Z') * 1_000);
  });

  test('may be gzipped, with other names, times and order of its columns', async () => {
    const plain = await runLines([HEAD, ...HOURS]);
    const others = HOURS.map((row) => {
      const [time = '', open, high, low, close, volume] = row.split(',');
      return [volume, close, low, high, open, new Date(Number(time) * 1_000).toISOString()].join(',');
    });
    const other = await run({
      csv: file('other.csv.gz', ['Volume,Close,Low,High,Open,Date', ...others]),
      sizeDecimals: 2,
    });
    expect(other.bars).toEqual(plain.bars);
    const milliseconds = HOURS.map((row) => row.replace(',', '000,'));
    expect((await runLines([HEAD.replace('time', 'ts_ms'), ...milliseconds])).bars).toEqual(plain.bars);
    // The first column that names a time is it.
    const two = HOURS.map((row) => row.replace(',', ',2026,'));
    expect((await runLines([HEAD.replace('time', 'time,date'), ...two])).bars).toEqual(plain.bars);
  });

  test('may have exponents, and more decimals than money has', async () => {
    const lines = [
      HEAD,
      '1767657600,0.12345678,1.3e-1,1.2e-1,0.125,1.00000001',
      '1767661200,0.125,0.125,0.125,0.125,2',
    ];
    const source = configOf({ parameters: 'position: 1000, slice: 10, bar: 1h' });
    const { bars, market, record } = await run({ source, csv: file('small.csv', lines) });
    expect([market.priceDecimals, market.sizeDecimals, record.collateralDecimals]).toEqual([8, 8, 16]);
    expect([bars.open[0], bars.high[0], bars.low[0], bars.volume[0]]).toEqual([
      ...[12_345_678, 13_000_000, 12_000_000, 100_000_001],
    ]);
    expect(record.equityStart).toBe(10_000n * 10n ** 16n);
  });

  test('makes longer bars, and a part of them', async () => {
    const rows = Array.from({ length: 12 }, (_none, at) =>
      [1767657600 + at * 3_600, 100 + at, 110 + at, 90 + at, 101 + at, 1].join(','),
    );
    const source = configOf({ parameters: 'position: 0.05, slice: 0.01, bar: 4h' });
    const csv = file('bars.csv', [HEAD, ...rows]);
    const long = await run({ source, csv, sizeDecimals: 2, barMs: 14_400_000 });
    expect([...long.bars.open]).toEqual([100, 104, 108]);
    expect([...long.bars.high]).toEqual([113, 117, 121]);
    expect([...long.bars.volume]).toEqual([400, 400, 400]);
    const fromMs = Date.parse('2026-01-06T01:00:00Z');
    const part = await run({ csv, sizeDecimals: 2, fromMs, toMs: Date.parse('2026-01-06T04:30:00Z') });
    expect([...part.bars.open]).toEqual([101, 102, 103]);
    expect(part.record.fromMs).toBe(fromMs);
  });

  test.each<[string, readonly string[], RegExp]>([
    [
      'a column is missing',
      ['time,open,high,low,volume', '1,1,1,1,1'],
      /BARS_COLUMN_MISSING: expected one column close at .*bars.csv:1, got only time, open, high, low, volume/,
    ],
    [
      'a price is no number',
      [HEAD, ...HOURS.slice(0, 1), '1767661200,60050,NaN,59900,60000,1'],
      /BARS_VALUE_INVALID: expected a price above zero with at most 0 decimals at .*bars.csv:3, column high, got "NaN"/,
    ],
    [
      'a cell is missing',
      [HEAD, '1767661200,60050,60050,59900,60000'],
      /expected 6 columns at .*bars.csv:2, got 5/,
    ],
    [
      'a time is none',
      [HEAD, 'yesterday,60050,60050,59900,60000,1'],
      /expected a time that exists in whole ms: Unix s, ms, us or ns, or like 2026-01-06T08:00:00Z at .*bars.csv:2, column time, got "yesterday"/,
    ],
    [
      'the high is below the low',
      [HEAD, '1767661200,60050,59000,59900,60000,1'],
      /BARS_PRICE_INVALID: .*bars.csv:2: expected prices above 0 in whole ticks/,
    ],
    [
      'bars are twice there',
      [HEAD, ...HOURS, ...HOURS.slice(2)],
      /BARS_OUT_OF_ORDER: .*bars.csv:5: expected a bar that begins at 2026-01-06T03:00:00.000Z or later, got 2026-01-06T02:00:00.000Z/,
    ],
    [
      'a bar is missing',
      [HEAD, ...HOURS, '1767675600,60000,60100,59900,60050,0'],
      /BARS_GAP: .*bars.csv:5: expected the bar of 2026-01-06T03:00:00.000Z, got 2026-01-06T05:00:00.000Z/,
    ],
    ['there is nothing', [HEAD], /BARS_EMPTY: expected bars in .*bars.csv:2, got none/],
  ])('error: %s', async (_title, lines, expected) => {
    const thrown: unknown = await runLines(lines).catch((error: unknown) => error);
    expect(String((thrown as { describe(): string }).describe())).toMatch(expected);
  });

  test('error: that is not there, or no gzip', async () => {
    await expect(run({ csv: join(FOLDER, 'none.csv') })).rejects.toMatchObject({
      code: 'BARS_FILE_UNREADABLE',
    });
    writeFileSync(join(FOLDER, 'torn.csv.gz'), gzipSync(HEAD).subarray(0, -9));
    await expect(run({ csv: join(FOLDER, 'torn.csv.gz') })).rejects.toMatchObject({
      code: 'BARS_FILE_UNREADABLE',
    });
  });

  test('with a gap runs where gaps are allowed', async () => {
    const lines = [HEAD, ...HOURS, '1767675600,60000,60100,59900,60050,0'];
    expect((await runLines(lines, { isGapAllowed: true })).bars.rows).toBe(4);
  });
});

describe('a file of funding', () => {
  const funding = (lines: readonly string[]) =>
    runLines([HEAD, ...HOURS], { funding: file('funding.csv', ['ts_ms,funding_rate', ...lines]) });

  test('is named in the record beside the bars', async () => {
    const { record } = await funding(['1767661200000,-0.0000123456789']);
    expect(record.tapes.map(({ name }) => name)).toEqual(['bars.csv', 'funding.csv']);
  });

  test.each([
    [
      'without order',
      ['1767664800000,0.0001', '1767661200000,0.0001'],
      /expected a time after that of the row before at .*funding.csv:3/,
    ],
    [
      'with a rate that is none',
      ['1767664800000,0.01%'],
      /expected a rate such as 0.0001 .* at .*funding.csv:2, column funding_rate, got "0.01%"/,
    ],
  ])('error: %s', async (_title, lines, expected) => {
    await expect(funding(lines)).rejects.toThrow(expected);
  });
});

describe('error: what to run is not clear', () => {
  const two = `  - name: other
    module: ../strategies/trend-following/index.ts
    markets: [ETH-USD]
    parameters: { position: 1, slice: 1, bar: 1h }
`;
  test.each<[string, Partial<ConfiguredBars>, string]>([
    ['neither tape nor file', {}, 'BARS_SOURCE_MISSING'],
    ['several strategies', { source: configOf({ strategies: two }) }, 'BARS_STRATEGY_AMBIGUOUS'],
    ['a strategy that is not there', { strategy: 'none' }, 'BARS_STRATEGY_AMBIGUOUS'],
    ['several markets', { source: configOf({ markets: 'BTC-USD, ETH-USD' }) }, 'BARS_MARKET_AMBIGUOUS'],
    ['bars of another length than the rule has', { barMs: 7_200_000 }, 'STRATEGY_BAR_LENGTH'],
    ['bars that cannot be made of those', { barMs: 5_400_000 }, 'BARS_LENGTH_INVALID'],
    [
      'a size finer than the lots of the file',
      { sizeDecimals: 1, csv: file('whole.csv', [HEAD, '1767657600,1,1,1,1,1', '1767661200,1,1,1,1,1']) },
      'STRATEGY_VALUE_OFF_STEP',
    ],
  ])('%s', async (_title, options, code) => {
    const csv =
      code === 'BARS_SOURCE_MISSING'
        ? {}
        : { csv: file('hours.csv', [HEAD, ...HOURS, '1767668400,1,1,1,1,0']) };
    await expect(run({ ...csv, ...options })).rejects.toMatchObject({ code });
  });

  test('of several the one that is named runs', async () => {
    const source = configOf({ strategies: two, markets: 'BTC-USD, ETH-USD' });
    const csv = file('hours.csv', [HEAD, ...HOURS]);
    const { record } = await run({ source, csv, strategy: 'trend', market: 'ETH-USD', sizeDecimals: 2 });
    expect([record.strategies, record.markets.map(({ symbol }) => symbol)]).toEqual([['trend'], ['ETH-USD']]);
  });
});
