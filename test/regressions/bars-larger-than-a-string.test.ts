/** Bars above 512 MB of text, packed or not, ended as a bug: the whole file was one string. */
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { readBarFile, readFundingFile } from '../../src/research/bars/bar-file.ts';
import { folderOf } from '../support/import-text.ts';

const NOTE = 'x'.repeat(1_000_000);
const ROWS = 560;
const START_S = 1_767_657_600;
const GIB_HALF = 2 ** 29;

/** A packed file whose rows have a long note: small on disk, 560 MB unpacked. */
function packedFile(name: string, header: string, cells: string): string {
  const path = join(folderOf({}), name);
  writeFileSync(path, gzipSync(`${header},note\n`));
  // Each member has one row; the note is the same, its packed bytes are made once.
  const rest = gzipSync(`,${cells},${NOTE}\n`);
  for (let at = 0; at < ROWS; at++)
    appendFileSync(path, Buffer.concat([gzipSync(`${START_S + at * 3_600}`), rest]));
  return path;
}

test('a packed file of bars of any size is read', async () => {
  const path = packedFile('bars.csv.gz', 'time,open,high,low,close,volume', '100,101,99,100.5,1.25');
  expect(ROWS * NOTE.length).toBeGreaterThan(GIB_HALF);
  const decimals = { priceDecimals: 1, sizeDecimals: 2 };
  const { bars } = await readBarFile(path, { isGapAllowed: false, ...decimals });
  expect({ rows: bars.rows, barUs: bars.barUs }).toEqual({ rows: ROWS, barUs: 3_600_000_000 });
  expect(bars.openUs.at(-1)).toBe((START_S + (ROWS - 1) * 3_600) * 1_000_000);
});

test('a packed file of funding of any size is read', async () => {
  const { settlements } = await readFundingFile(packedFile('f.csv.gz', 'time,funding_rate', '0.0001'));
  expect(settlements.rows).toBe(ROWS);
});
