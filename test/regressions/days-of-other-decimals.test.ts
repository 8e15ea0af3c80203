/**
 * Symptom, found with days of which one needs one decimal and the next two: their tapes could not be merged, and files of
 * Binance could not be imported together, since the first one said the scale of all.
 */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openTape } from '../../src/tape/format/index.ts';
import { mergeTapes, rowsOf } from '../../src/tape/tools/index.ts';
import { aMapping, aRecording, aTemporaryFolder, BEGIN_MS, importSmall } from '../support/small-import.ts';

const DAY_MS = 86_400_000;

test('days of csv are merged at the finer scale, and imported together at the same one', async () => {
  const header = 'time,price,qty,side,id';
  const one = [header, `${BEGIN_MS},100.5,1,buy,1`];
  const two = [header, `${BEGIN_MS + DAY_MS},100.25,0.5,buy,2`];
  const importOf = (files: Readonly<Record<string, readonly string[]>>) =>
    importSmall({ format: 'csv', mapping: aMapping('trades'), paths: [aRecording(files)] });
  const tapes = [(await importOf({ 't.csv': one })).out, (await importOf({ 't.csv': two })).out];
  const out = join(aTemporaryFolder(), 'both');
  mergeTapes({ tapes, out });
  const merged = [...rowsOf(openTape(out).batches())].filter(({ id, price }) => id > 0 && price > 0);
  const together = await importOf({ 'a.csv': one, 'b.csv': two });
  expect(merged.map(({ price, size }) => [price, size])).toEqual([
    [10_050, 10],
    [10_025, 5],
  ]);
  expect(openTape(out).markets).toEqual(together.markets);
  expect(together.rows).toEqual(['0 buyTrade 10050 10 1', `${DAY_MS} buyTrade 10025 5 2`]);
});

test('files of binance-um are imported at the finest scale of their snapshots', async () => {
  const snapshot = (ms: number, id: number, bid: string, ask: string) =>
    `${ms} ${JSON.stringify({ lastUpdateId: id, E: ms, T: ms, bids: [[bid, '1.000']], asks: [[ask, '1.000']] })}`;
  const paths = [
    aRecording({
      btcusdt_20260106: [snapshot(BEGIN_MS, 1, '100.50', '100.60')],
      btcusdt_20260107: [snapshot(BEGIN_MS + DAY_MS, 9, '100.25', '100.60')],
    }),
  ];
  const { rows, markets } = await importSmall({ format: 'binance-um', paths });
  expect(markets[0]?.priceDecimals).toBe(2);
  expect(rows.filter((row) => row.includes('bidLevel'))).toEqual([
    '0 bidLevel 10050 1000 0',
    `${DAY_MS} bidLevel 10025 1000 0`,
  ]);
});
