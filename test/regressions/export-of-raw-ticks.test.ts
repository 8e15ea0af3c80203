/** Settlements and executed orders left a tape as raw ticks, Parquet had binary fractions, and a symbol could be a formula. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parquetReadObjects } from 'hyparquet';
import { expect, test } from 'vitest';
import { csvOf, rowsOfCsv } from '../../src/report/csv.ts';
import { createTapeWriter, EVENT, type EventRow } from '../../src/tape/format/index.ts';
import { exportTape } from '../../src/tape/tools/index.ts';
import { folderOf } from '../support/import-text.ts';

const AT_US = 1_767_657_600_000_000;
const FORMULA = '=HYPERLINK("http://a.example";"x")';
const KINDS = Object.keys(EVENT).filter((name) => name !== 'feed') as (keyof typeof EVENT)[];
/** Kinds without a price, without a size. */
const UNPRICED = ['bookReset', 'fundingRate', 'hole', 'marketStatus'];
const UNSIZED = ['bookReset', 'mark', 'index', 'hole', 'candleOpen', 'candleHigh', 'candleLow'];
const COUNTED = ['fundingRate', 'fundingSettled', 'marketStatus'];

/** A tape with a row of each kind at 16,537.6 and 2.0500 in a market of 1 and 4 decimals, then one of 3 and 0 decimals. */
function aTape(): string {
  const folder = join(folderOf({}), 'tape');
  const rest = { tickStep: 1, lotStep: 1, depth: 'orders' } as const;
  const writer = createTapeWriter({
    folder,
    markets: [
      { symbol: FORMULA, priceDecimals: 1, sizeDecimals: 4, ...rest },
      { symbol: 'SHIB', priceDecimals: 9, sizeDecimals: 0, ...rest },
    ],
    source: { kind: 'import', description: 'rows by hand' },
  });
  const write = (row: Partial<EventRow>, at: number) =>
    writer.write({
      ...{ kind: EVENT.mark, flags: 1, market: 0, exchangeUs: AT_US + at, receivedUs: AT_US + at, id: 5 },
      ...{ price: 165_376, size: 20_500, ...row },
    });
  for (const [at, kind] of KINDS.entries()) write({ kind: EVENT[kind] }, at);
  write(
    { kind: EVENT.buyTrade, market: 1, price: 4_294_967_295, size: Number.MAX_SAFE_INTEGER },
    KINDS.length,
  );
  write({ kind: EVENT.fundingSettled, price: 0, size: -100_000 }, KINDS.length + 1);
  writer.close();
  return folder;
}

const expected = [
  ...KINDS.map((kind) => [
    kind,
    UNPRICED.includes(kind) ? null : '16537.6',
    UNSIZED.includes(kind) ? null : COUNTED.includes(kind) ? '20500' : '2.0500',
  ]),
  ['buyTrade', '4.294967295', '9007199254740991'],
  ['fundingSettled', null, '-100000'],
];

test('each kind of row leaves with exact decimals as JSON lines and as CSV, and a symbol is no formula', () => {
  const tape = aTape();
  const out = (name: string) => join(tape, '..', name);
  exportTape({ tape, format: 'jsonl', out: out('rows.jsonl') });
  const lines = readFileSync(out('rows.jsonl'), 'utf8').trim().split('\n');
  const parsed = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(parsed.map(({ kind, price, size }) => [kind, price, size])).toEqual(expected);
  expect(parsed[0]?.['market']).toBe(FORMULA);
  exportTape({ tape, format: 'csv', out: out('rows.csv') });
  const csv = readFileSync(out('rows.csv'), 'utf8');
  expect(csv).toContain(`,"'=HYPERLINK(""http://a.example"";""x"")",mark,true,16537.6,,5,\n`);
  const head = ['exchangeUs', 'receivedUs', 'market', 'kind', 'isEnd', 'price', 'size', 'id', 'value'];
  const rows = rowsOfCsv(csv, head) ?? [];
  expect(
    rows.map(([_us, _received, _market, kind, _end, price, size]) => [kind, price || null, size || null]),
  ).toEqual(expected);
  expect(rows[0]?.[2]).toBe(FORMULA);
});

test('and as Parquet', async () => {
  const tape = aTape();
  const path = join(tape, '..', 'rows.parquet');
  exportTape({ tape, format: 'parquet', out: path });
  const { buffer, byteOffset, byteLength } = readFileSync(path);
  const file = buffer.slice(byteOffset, byteOffset + byteLength);
  const rows = await parquetReadObjects({ file });
  // The reader makes binary fractions of decimals.
  const short = (value: unknown) =>
    value === null || value === undefined ? null : Number(value).toPrecision(12);
  expect(rows.map(({ kind, price, size }) => [kind, short(price), short(size)])).toEqual(
    expected.map(([kind, price, size]) => [kind, short(price), short(size)]),
  );
  expect(rows[0]).toMatchObject({ market: FORMULA, isEnd: true, id: 5n, exchangeUs: BigInt(AT_US) });
});

test.each(['=1+1', '+a', '-a', '@a', '\ta', "'a", 'a"b', 'a,b', '-5', '+1e9', '-', '', 'a\nb'])(
  'a table with %j comes back as it was',
  (text) => {
    const head = ['first', 'second'];
    const csv = csvOf(head, [[text, 'x"']]);
    expect(rowsOfCsv(csv, head)).toEqual([[text, 'x"']]);
    expect(csv.split('\n').slice(1).join('\n')).not.toMatch(/^"?[=+\-@\t](?![0-9])/);
  },
);
