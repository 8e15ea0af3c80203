/** @module Small recordings made in a test, imported into a tape that is gone when the test ends. */
import { join } from 'node:path';
import { parseImportMapping } from '../../src/config/import-mapping.ts';
import { BotError } from '../../src/core/index.ts';
import { EVENT, openTape } from '../../src/tape/format/index.ts';
import type { ImportOptions } from '../../src/tape/importers/import-tape.ts';
import { importTape } from '../../src/tape/importers/index.ts';
import { rowsOf } from '../../src/tape/tools/index.ts';
import { folderOf } from './import-text.ts';

/** 2026-01-06T00:00:00Z in Unix ms: where times of these recordings begin. */
export const BEGIN_MS = Date.UTC(2026, 0, 6);

const NAMES = new Map<number, string>(Object.entries(EVENT).map(([name, kind]) => [kind, name]));

/** A folder until the test ends. */
export function aTemporaryFolder(): string {
  return folderOf({});
}

/** A folder with these plain files until the test ends. */
export function aRecording(files: Readonly<Record<string, readonly string[] | string>>): string {
  const contents = Object.entries(files).map(([name, content]) => [
    `market/${name}`,
    typeof content === 'string' ? content : `${content.join('\n')}\n`,
  ]);
  return join(folderOf(Object.fromEntries(contents)), 'market');
}

/** A mapping of one kind of file. */
export function aMapping(rows: string, unit = 'ms', more = ''): ImportOptions['mapping'] & object {
  const columns = {
    trades: '{price: price, size: qty, side: side, id: id}',
    levels: '{price: price, size: qty, side: side, snapshot: snap}',
    quotes: '{bidPrice: bp, bidSize: bq, askPrice: ap, askSize: aq}',
    books: "{bidPrice: 'bp{level}', bidSize: 'bq{level}', askPrice: 'ap{level}', askSize: 'aq{level}'}",
    candles: '{open: o, high: h, low: l, close: c, volume: v}',
  }[rows];
  return parseImportMapping(
    `
symbol: BTC-USD
files:
  - name: "*.csv"
    rows: ${rows}
    time: {column: time, unit: ${unit}}
    columns: ${columns}
    sides: {buy: [buy, bid], sell: [sell, ask]}
${more}`,
    'mapping.yaml',
  );
}

/** Imports and hands out the rows as `<ms since BEGIN_MS> kind price size id`. */
export async function importSmall(options: Omit<ImportOptions, 'out' | 'locked'> & Partial<ImportOptions>) {
  const out = join(aTemporaryFolder(), 'tape');
  const result = await importTape({ locked: 'separate', ...options, out });
  const all = [...rowsOf(openTape(out).batches())];
  const rows = all.map(({ exchangeUs, kind, price, size, id }) =>
    [exchangeUs / 1_000 - BEGIN_MS, NAMES.get(kind), price, size, id].join(' '),
  );
  return { ...result, rows, events: all };
}

/** Code and words of the error with which `work` ends. */
export async function refusalOf(
  work: Promise<unknown>,
): Promise<{ readonly code: string; readonly words: string }> {
  const thrown = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (thrown instanceof BotError) return { code: thrown.code, words: thrown.describe() };
  throw new Error(`expected an error with a code, got ${String(thrown)}`);
}
