/** @module Imports of small files whose text a test writes. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { parseImportMapping } from '../../src/config/import-mapping.ts';
import { BotError } from '../../src/core/index.ts';
import { EVENT, openTape, type RecordingFormat } from '../../src/tape/format/index.ts';
import { type ImportOptions, importTape } from '../../src/tape/importers/import-tape.ts';
import type { ImportResult } from '../../src/tape/importers/index.ts';
import { rowsOf } from '../../src/tape/tools/index.ts';

/** Names of files with their text, or their bytes. */
export type Files = Readonly<Record<string, string | Uint8Array>>;

/** What an import gave: its result with the rows as `<exchange time> <kind> <price> <size> <id>`, or its error. */
export interface ImportedText {
  readonly result: ImportResult | undefined;
  readonly rows: readonly string[];
  /** Code, message and remedy. */
  readonly error: string;
}

function nameOf(kind: number): string {
  return Object.entries(EVENT).find(([, one]) => one === kind)?.[0] ?? `${kind}`;
}

/** A folder with these files until the test ends. */
export function folderOf(files: Files): string {
  const folder = mkdtempSync(join(tmpdir(), 'import-text-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return folder;
}

/** Imports the folder of `files`, or the `paths` below it. `mapping`: YAML of format csv. */
export async function importText(
  format: RecordingFormat,
  files: Files,
  {
    mapping,
    paths = ['.'],
    ...more
  }: { readonly mapping?: string; readonly paths?: readonly string[] } & Partial<
    Omit<ImportOptions, 'mapping' | 'paths'>
  > = {},
): Promise<ImportedText> {
  const folder = folderOf(files);
  const out = join(folderOf({}), 'tape');
  try {
    const result = await importTape({
      ...{ format, out, locked: 'separate', paths: paths.map((path) => join(folder, path)) },
      ...(mapping === undefined ? {} : { mapping: parseImportMapping(mapping, 'mapping.yaml') }),
      ...more,
    });
    const rows = [...rowsOf(openTape(out).batches())];
    return {
      result,
      rows: rows.map(({ exchangeUs, kind, price, size, id }) =>
        [exchangeUs, nameOf(kind), price, size, id].join(' '),
      ),
      error: '',
    };
  } catch (thrown) {
    if (!(thrown instanceof BotError)) throw thrown;
    return { result: undefined, rows: [], error: `${thrown.code}: ${thrown.message}; ${thrown.remedy}` };
  }
}

/** A mapping of trades with the columns time (ms), price, qty, side and id; `more`: further keys of its file. */
export function tradesMapping(more = ''): string {
  return [
    'symbol: BTC-USD',
    'files:',
    "  - name: '*.csv*'",
    '    rows: trades',
    '    time: {column: time, unit: ms}',
    '    columns: {price: price, size: qty, side: side, id: id}',
    ...(more === '' ? [] : [`    ${more}`]),
    '',
  ].join('\n');
}

/** A mapping of candles of one minute with the columns time (ms), open, high, low, close and volume. */
export function candlesMapping(interval = '1m'): string {
  return [
    'symbol: BTC-USD',
    'files:',
    "  - name: '*.csv*'",
    '    rows: candles',
    '    time: {column: time, unit: auto}',
    '    columns: {open: open, high: high, low: low, close: close, volume: volume}',
    `    interval: ${interval}`,
    '',
  ].join('\n');
}
