/** @module A folder that is no tape: the error says which line makes a tape of it. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { BotError } from '../../../../src/core/index.ts';
import { openTape } from '../../../../src/tape/format/index.ts';

function aFolderOf(...names: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'no-tape-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const name of names) writeFileSync(join(folder, name), '');
  return folder;
}

function refusalOf(place: string): BotError {
  try {
    openTape(place);
  } catch (thrown) {
    if (thrown instanceof BotError) return thrown;
    throw thrown;
  }
  throw new Error('opened');
}

test.each([
  ['standx', 'book_2026-01-06_08.csv.gz'],
  ['binance-um', 'btcusdt_20240808.gz'],
  ['binance-candles', 'BTCUSDT_1m.csv.gz'],
  ['hyperliquid', 'orderbooks_BTC.csv.gz'],
  ['gemini', 'market-depth.csv.gz'],
  ['tardis-csv', 'binance-futures_trades_2020-01-01_BTCUSDT.csv.gz'],
  ['lobster', 'AMZN_2012-06-21_34200000_57600000_message_1.csv'],
])('a recording of %s is named with the line that imports it', (format, file) => {
  const folder = aFolderOf('README.md', file);
  const { code, message, remedy } = refusalOf(folder);
  expect({ code, message }).toEqual({
    code: 'TAPE_NOT_RECOGNIZED',
    message: `${folder}: expected a tape, got a recording in the format ${format}`,
  });
  const out = folder.slice(folder.lastIndexOf('/') + 1);
  expect(remedy).toBe(`Import it, then name the tape: ballast import ${format} ${folder} --out tapes/${out}`);
});

test('one file of a recording is told as its folder is, and a path with blanks is quoted', () => {
  const folder = aFolderOf('book_2026-01-06_08.csv.gz');
  expect(refusalOf(join(folder, 'book_2026-01-06_08.csv.gz')).remedy).toContain(
    `ballast import standx ${folder}/book_2026-01-06_08.csv.gz --out tapes/book_2026-01-06_08`,
  );
  const blank = join(folder, 'a b');
  writeFileSync(blank, '');
  expect(refusalOf(blank).remedy).toContain(`ballast import <format> '${blank}' --out <folder>`);
});

test.each([[[]], [['notes.txt']], [['log.jsonl', 'fills.csv.gz']]])(
  'a folder that tells nothing is answered with the formats: %s',
  (names) => {
    const { code, remedy } = refusalOf(aFolderOf(...names));
    expect(code).toBe('TAPE_NOT_RECOGNIZED');
    expect(remedy).toContain(
      'where <format> is one of binance-um, binance-spot, binance-candles, standx, hyperliquid',
    );
  },
);

test.each([
  ['binance-spot', 'btcusdt_20240808.gz', '1723075200000 {"lastUpdateId":1,"bids":[],"asks":[]}\n'],
  ['binance-um', 'btcusdt_20240808.gz', '1723075200000 {"stream":"x","data":{"e":"depthUpdate","pu":1}}\n'],
  ['binance-spot', 'BTCUSDT-aggTrades-2024-08-08.csv', '1,1.0,1.0,1,1,1723075200000,True,True\n'],
])('what names do not tell, the first bytes do: %s in %s', (format, name, text) => {
  const folder = aFolderOf(name);
  for (const bytes of [text, gzipSync(text)]) {
    writeFileSync(join(folder, name), bytes);
    expect(refusalOf(folder).remedy).toContain(`ballast import ${format} ${folder} --out tapes/`);
    expect(refusalOf(join(folder, name)).remedy).toContain(
      `ballast import ${format} ${folder}/${name} --out `,
    );
  }
});
