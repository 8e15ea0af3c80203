/** A folder and a file of it were both read: without ids of trades, the tape had each of them twice. */
import { linkSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { parseImportMapping } from '../../src/config/import-mapping.ts';
import { importTape } from '../../src/tape/importers/index.ts';
import { folderOf, importText, tradesMapping } from '../support/import-text.ts';

const AT = 1_767_657_600_000;
const TRADES = [
  'time,price,qty,side',
  ...Array.from({ length: 20 }, (_, at) => `${AT + at},100,0.5,buy`),
].join('\n');
const mapping = tradesMapping().replace(', id: id', '');

describe('a file that is named twice is read once', () => {
  test.each([
    ['by its path', ['t.csv', 't.csv']],
    ['by another spelling', ['t.csv', './x/../t.csv']],
    ['by its folder', ['.', 't.csv']],
    ['by its folder twice', ['.', '.']],
  ])('%s', async (_what, paths) => {
    const { result } = await importText('csv', { 't.csv': TRADES, 'x/y': '' }, { mapping, paths });
    expect(result?.rows).toBe(20);
    expect(result?.counts).toEqual({ filesRepeated: 1 });
  });

  test('by a link', async () => {
    const folder = folderOf({ 't.csv': TRADES });
    symlinkSync(join(folder, 't.csv'), join(folder, 'u.csv'));
    linkSync(join(folder, 't.csv'), join(folder, 'v.csv'));
    const request = {
      format: 'csv',
      paths: [folder],
      locked: 'keep',
      mapping: parseImportMapping(mapping, 'm.yaml'),
    } as const;
    const { rows, counts } = await importTape({ ...request, out: join(folder, 'tape') });
    expect({ rows, counts }).toEqual({ rows: 20, counts: { filesRepeated: 2 } });
  });

  test('in a format that knows its files by name', async () => {
    const head = 'ts_ms,open,high,low,close,volume';
    const files = { 'BTC_1m.csv': `${head}\n1735689600000,1,1,1,1,1\n` };
    const { result } = await importText('hyperliquid', files, { paths: ['.', 'BTC_1m.csv'] });
    expect(result?.counts).toEqual({ filesRepeated: 1 });
  });
});

describe('two files with the same rows', () => {
  test.each([
    ['a copy', { 't.csv': TRADES, 'copy of t.csv': TRADES }],
    ['a packed copy', { 't.csv': TRADES, 't.csv.gz': gzipSync(TRADES) }],
  ])('are refused: %s', async (_what, files) => {
    const { error } = await importText('csv', files, { mapping });
    expect(error).toMatch(/TAPE_FILE_REPEATED: expected files with different rows, got the same in .*t.csv/);
  });

  test('are taken where they are of two markets, or hold no row', async () => {
    const funding = 'ts_ms,funding_rate\n1735689600000,0.0001\n';
    const two = await importText('hyperliquid', {
      'BTC_funding_8h.csv': funding,
      'ETH_funding_8h.csv': funding,
    });
    expect(two.result?.rows).toBe(2);
    const hours = { 't.csv': TRADES, 'u.csv': 'time,price,qty,side\n', 'v.csv': 'time,price,qty,side\n' };
    const empty = await importText('csv', hours, { mapping });
    expect(empty.result?.rows).toBe(20);
  });
});
