/**
 * Numbers beyond the range of ticks and lots were told as having too many decimals, with a remedy that did not help. Each
 * remedy is followed here.
 */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { BotError } from '../../src/core/index.ts';
import { readBarFile, readFundingFile } from '../../src/research/bars/bar-file.ts';
import { folderOf, importText, tradesMapping } from '../support/import-text.ts';

interface Decimals {
  readonly priceDecimals?: number;
  readonly sizeDecimals?: number;
}

/** The error of a file of bars with one price and one volume, and of trades with the same. */
async function errorsOf(price: string, size: string, decimals: Decimals = {}): Promise<readonly string[]> {
  const bar = (hour: string) => `2026-01-06T0${hour}:00:00Z,${price},${price},${price},${price},${size}`;
  const folder = folderOf({ 'b.csv': ['time,open,high,low,close,volume', bar('0'), bar('1')].join('\n') });
  const trades = `time,price,qty,side,id\n1767657600000,${price},${size},buy,1\n`;
  const imported = await importText('csv', { 't.csv': trades }, { mapping: tradesMapping(), ...decimals });
  return [
    await wordsOf(readBarFile(join(folder, 'b.csv'), { isGapAllowed: false, ...decimals })),
    imported.error,
  ];
}

async function wordsOf(read: Promise<unknown>): Promise<string> {
  const thrown = await read.then(
    () => '',
    (error: unknown) => error,
  );
  return thrown instanceof BotError ? `${thrown.code}: ${thrown.message}; ${thrown.remedy}` : String(thrown);
}

const LOTS = '2^53 - 1 lots';
const TICKS = '2^32 - 1 ticks';

describe('a number that does not fit says its limit, and the remedy works', () => {
  test.each<
    readonly [
      string,
      readonly [string, string, Decimals?],
      string,
      string,
      readonly [string, string, Decimals?],
    ]
  >([
    [
      'noise in a volume',
      ['60000.1', '12.300000000000001'],
      `expected a size up to 9.007199254740991 with 15 decimals (${LOTS})`,
      'write the column with at most 14 in the file',
      ['60000.1', '12.30000000000000'],
    ],
    [
      'noise in a volume, with decimals that are named',
      ['60000.1', '12.300000000000001', { sizeDecimals: 2 }],
      'expected a size with at most 2 decimals',
      'write the column with at most 2 in the file',
      ['60000.1', '12.30', { sizeDecimals: 2 }],
    ],
    [
      'noise in a price',
      ['60000.100000000006', '5', { sizeDecimals: 2 }],
      `expected a price above zero up to 0.004294967295 with 12 decimals (${TICKS})`,
      'At most 4 decimals fit',
      ['60000.1000', '5', { sizeDecimals: 2 }],
    ],
    [
      'a price with one decimal too many',
      ['97000.12345', '5'],
      `expected a price above zero up to 42949.67295 with 5 decimals (${TICKS})`,
      'At most 4 decimals fit',
      ['97000.1234', '5'],
    ],
    [
      'decimals of prices that are named too large',
      ['60000.1', '5', { priceDecimals: 9 }],
      `expected a price above zero up to 4.294967295 with 9 decimals (${TICKS})`,
      'name no more than 4 with --price-decimals',
      ['60000.1', '5', { priceDecimals: 4 }],
    ],
    [
      'decimals of sizes that are named too small',
      ['60000.1', '0.125', { sizeDecimals: 2 }],
      'expected a size with at most 2 decimals',
      'Leave --size-decimals out, or name 3 or more.',
      ['60000.1', '0.125', { sizeDecimals: 3 }],
    ],
    [
      'an amount of lots',
      ['1', '9007199254740992'],
      `expected a size up to 9007199254740991 (${LOTS}, without decimals)`,
      'write the column in a larger unit',
      ['1', '9007199254740991'],
    ],
    [
      'a size that a program prints with an exponent',
      ['1', '1e300'],
      `expected a size up to 9007199254740991 (${LOTS}, without decimals)`,
      'write the column in a larger unit',
      ['1', '1e15'],
    ],
    [
      'a size of hardly anything',
      ['1', '5e-99', { sizeDecimals: 8 }],
      'expected a size with at most 8 decimals',
      'Write the column with at most 8 decimals in the file.',
      ['1', '5e-8', { sizeDecimals: 8 }],
    ],
    [
      'a price without decimals',
      ['4294967296', '1'],
      `expected a price above zero up to 4294967295 (${TICKS}, without decimals)`,
      'write the column in a larger unit',
      ['4294967295', '1'],
    ],
  ])('%s', async (_what, wrong, limit, remedy, better) => {
    for (const error of await errorsOf(...wrong)) {
      expect(error).toMatch(/^(?:BARS_VALUE_INVALID|TAPE_LINE_MALFORMED): /);
      expect(error).toContain(limit);
      expect(error).toContain(remedy);
      expect(error).toMatch(/ at .*\.csv:2, column (?:open|volume|price|qty), got "/);
    }
    expect(await errorsOf(...better)).toEqual(['', '']);
  });
});

describe('a rate', () => {
  const fundingOf = (rate: string) => {
    const folder = folderOf({ 'f.csv': `time,funding_rate\n2026-01-06T00:00:00Z,${rate}\n` });
    return readFundingFile(join(folder, 'f.csv'));
  };
  const importOf = (rate: string) =>
    importText('hyperliquid', { 'BTC_funding_8h.csv': `ts_ms,funding_rate\n1735689600000,${rate}\n` });

  test.each([
    [
      'beyond the range',
      '123456789012',
      /expected a rate between -9007199.254740991 and 9007199.254740991 \(2\^53 - 1/,
    ],
    ['in percent', '0.01%', /expected a rate such as 0.0001|expected a decimal with at most 12 decimals/],
  ])('%s is refused in words', async (_what, rate, words) => {
    expect(await wordsOf(fundingOf(rate))).toMatch(words);
    expect((await importOf(rate)).error).toMatch(words);
  });

  test('with an exponent or below zero is read', async () => {
    const { settlements } = await fundingOf('-1.5e-05');
    expect([...settlements.ratePpb]).toEqual([-15_000]);
    expect((await importOf('-1.5e-05')).rows).toEqual(['1735689600000000 fundingSettled 0 -15000 0']);
  });
});

test('a price of LOBSTER beyond the range says the limit', async () => {
  const name = 'AMZN_2012-06-21_34200000_57600000_message_1.csv';
  const { error } = await importText('lobster', { [name]: '34200.1,1,1,1,4294967296,1\n' });
  expect(error).toMatch(
    /expected a price above zero up to 4294967295 \(2\^32 - 1 ticks, .*csv:1, column price, got/,
  );
});

test('a mark price that no tick can hold is refused, not a bug', async () => {
  const rows = 'ts_ms,open,high,low,close\n1735689600000,4294967296,4294967296,1,1\n';
  const { error } = await importText('binance-candles', { 'BTCUSDT_mark_8h.csv': rows });
  expect(error).toMatch(
    /TAPE_LINE_MALFORMED: expected a price above zero up to 4294967295 .*:2, column open/,
  );
});
