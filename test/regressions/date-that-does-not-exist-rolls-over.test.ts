/** 30 February was read as 2 March, in files and in options. */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { instant } from '../../src/cli/terminal/options.ts';
import { parseInstantMs, parseInstantUs } from '../../src/core/index.ts';
import { readBarFile, readFundingFile } from '../../src/research/bars/bar-file.ts';
import { folderOf, importText } from '../support/import-text.ts';

const NONE = [
  '2026-02-29',
  '2026-02-30',
  '2026-02-31T00:00:00Z',
  '2026-04-31T08:00:00Z',
  '2026-13-01',
  '2026-00-10',
  '2026-01-00',
  '2026-01-06T24:00:00Z',
  '2026-01-06T08:60Z',
  '2026-01-06T08:00:60Z',
  '1900-02-29',
];

describe('a date', () => {
  test.each(NONE)('that does not exist is refused: %s', (text) => {
    expect(parseInstantUs(text)).toBeUndefined();
  });

  test.each([
    ['2024-02-29', Date.UTC(2024, 1, 29) * 1_000],
    ['2000-02-29T23:59Z', Date.UTC(2000, 1, 29, 23, 59) * 1_000],
    ['2026-01-06 08:00:00+00:00', Date.UTC(2026, 0, 6, 8) * 1_000],
    ['2026-12-31T23:59:59.999999Z', Date.UTC(2026, 11, 31, 23, 59, 59) * 1_000 + 999_999],
    ['2026-01-06T08:00:00.120000000Z', Date.UTC(2026, 0, 6, 8) * 1_000 + 120_000],
  ])('that exists is read: %s', (text, us) => {
    expect(parseInstantUs(text)).toBe(us);
  });

  test('without its zone, or finer than what holds it, is none', () => {
    expect(parseInstantUs('2026-01-06T08:00:00')).toBeUndefined();
    expect(parseInstantUs('2026-01-06T08:00:00.0000001Z')).toBeUndefined();
    expect(parseInstantMs('2026-01-06T08:00:00.0001Z')).toBeUndefined();
    expect(parseInstantMs('2026-01-06T08:00:00.001Z')).toBe(Date.UTC(2026, 0, 6, 8) + 1);
  });
});

describe('a file', () => {
  test.each(NONE)('of bars or funding with %s is refused with its line', async (text) => {
    const folder = folderOf({
      'b.csv': `time,open,high,low,close,volume\n2026-02-28,1,1,1,1,1\n${text},1,1,1,1,1\n`,
      'f.csv': `time,funding_rate\n${text},0.0001\n`,
    });
    const bars = readBarFile(join(folder, 'b.csv'), { isGapAllowed: true });
    await expect(bars).rejects.toMatchObject({ code: 'BARS_VALUE_INVALID' });
    await expect(bars).rejects.toThrow(`b.csv:3, column time, got "${text}"`);
    await expect(readFundingFile(join(folder, 'f.csv'))).rejects.toThrow(
      `f.csv:2, column time, got "${text}"`,
    );
  });

  test('of LOBSTER with such a day in its name is refused', async () => {
    const name = 'AMZN_2012-06-31_34200000_57600000_message_1.csv';
    const { error } = await importText('lobster', { [name]: '34200.1,1,1,1,10000,1\n' });
    expect(error).toContain('TAPE_DAY_UNKNOWN: expected a day that exists in the name of ');
    expect(error).toContain('got 2012-06-31');
  });
});

test.each(NONE)('an option with %s is refused', (text) => {
  expect(() => instant('from')(text)).toThrow(/--from: expected a time like .* that exists, got/);
});
