/**
 * Symptom, found with a recording of full books only: the levels of a book that was replaced stayed, so that the book was
 * crossed after a fall, or showed a best bid that was long gone. A full book replaces the one before it, in each format.
 */
import { describe, expect, test } from 'vitest';
import { EVENT, type EventRow } from '../../src/tape/format/index.ts';
import { aMapping, aRecording, BEGIN_MS, importSmall } from '../support/small-import.ts';

/** Bids and asks as `price:size`, best first, after each frame of the book. */
function booksOf(events: readonly EventRow[]): readonly string[] {
  const bids = new Map<number, number>();
  const asks = new Map<number, number>();
  const books: string[] = [];
  for (const { kind, price, size, flags } of events) {
    if (kind === EVENT.bookReset) [bids, asks].map((side) => side.clear());
    const side = kind === EVENT.bidLevel ? bids : asks;
    if (kind === EVENT.bidLevel || kind === EVENT.askLevel) {
      if (size === 0) side.delete(price);
      else side.set(price, size);
    }
    const text = (levels: Map<number, number>, sign: number) =>
      [...levels]
        .sort(([a], [b]) => (a - b) * sign)
        .map(([ticks, lots]) => `${ticks}:${lots}`)
        .join(' ');
    if (flags === 1) books.push(`${text(bids, -1)} | ${text(asks, 1)}`);
  }
  return books;
}

type Row = readonly [ms: number, price: number, size: number, side: 'bid' | 'ask', isSnapshot: boolean];

async function csvBooks(rows: readonly Row[]) {
  const lines = rows.map(([ms, ...rest]) => [BEGIN_MS + ms, ...rest].join(','));
  const paths = [aRecording({ 'l.csv': ['time,price,qty,side,snap', ...lines] })];
  const { events, counts } = await importSmall({ format: 'csv', paths, mapping: aMapping('levels') });
  return { books: booksOf(events), counts };
}

describe('full books of format csv', () => {
  test('replace each other while the price falls', async () => {
    const { books, counts } = await csvBooks(
      [0, 200, 400].flatMap((ms, at) => [
        [ms, 100 - at, 5, 'bid', true] as const,
        [ms, 101 - at, 5, 'ask', true] as const,
      ]),
    );
    expect(books).toEqual(['100:5 | 101:5', '99:5 | 100:5', '98:5 | 99:5']);
    expect(counts).toEqual({ resets: 2 });
  });

  test('with fewer levels leave none of the book before', async () => {
    const { books } = await csvBooks([
      [0, 100, 5, 'bid', true],
      [0, 99, 4, 'bid', true],
      [0, 101, 5, 'ask', true],
      [100, 99, 3, 'bid', true],
      [100, 101, 5, 'ask', true],
      [200, 102, 1, 'ask', true],
    ]);
    expect(books).toEqual(['100:5 99:4 | 101:5', '99:3 | 101:5', ' | 102:1']);
  });

  test('after a change replace it as before', async () => {
    const { books, counts } = await csvBooks([
      [0, 100, 5, 'bid', true],
      [0, 101, 5, 'ask', true],
      [100, 100, 2, 'bid', false],
      [200, 98, 6, 'bid', true],
      [200, 99, 6, 'ask', true],
    ]);
    expect(books).toEqual(['100:5 | 101:5', '100:2 | 101:5', '98:6 | 99:6']);
    expect(counts).toEqual({ resets: 1 });
  });

  test('are one book where rows of other times of receipt or other markets are between their own', async () => {
    const rows = [
      'BTC-USD,0,1,100,5,bid,true',
      'ETH-USD,0,1,10,5,bid,true',
      'BTC-USD,0,1,101,5,ask,true',
      'ETH-USD,0,2,11,5,ask,true',
      'BTC-USD,0,3,102,5,ask,true',
    ].map((row) => {
      const [symbol, ms, seen, ...rest] = row.split(',');
      return [symbol, BEGIN_MS + Number(ms), BEGIN_MS + Number(seen), ...rest].join(',');
    });
    const paths = [aRecording({ 'l.csv': ['market,time,seen,price,qty,side,snap', ...rows] })];
    const mapping = aMapping('levels', 'ms', '    symbol: market\n    received: {column: seen, unit: ms}');
    const { events, counts } = await importSmall({ format: 'csv', paths, mapping });
    const of = (market: number) => booksOf(events.filter((event) => event.market === market)).at(-1);
    expect([of(0), of(1)]).toEqual(['100:5 | 101:5 102:5', '10:5 | 11:5']);
    expect(counts).toEqual({});
  });
});

test('full books of one exchange time are two where their levels were received twice', async () => {
  const row = (seen: number, price: number, side: string) =>
    `${BEGIN_MS},${BEGIN_MS + seen},${price},1,${side},true`;
  const rows = [row(1, 100, 'bid'), row(1, 102, 'ask'), row(9, 100, 'bid'), row(9, 101, 'ask')];
  const paths = [aRecording({ 'l.csv': ['time,seen,price,qty,side,snap', ...rows] })];
  const mapping = aMapping('levels', 'ms', '    received: {column: seen, unit: ms}');
  const { events, counts } = await importSmall({ format: 'csv', paths, mapping });
  expect(booksOf(events)).toEqual(['100:1 | 102:1', '100:1 | 101:1']);
  expect(counts).toEqual({ resets: 1 });
});

test('full books of tardis-csv replace each other', async () => {
  const head = 'exchange,symbol,timestamp,local_timestamp,is_snapshot,side,price,amount';
  const line = (ms: number, rest: string) =>
    `binance,BTCUSDT,${(BEGIN_MS + ms) * 1_000},${(BEGIN_MS + ms) * 1_000 + 5},true,${rest}`;
  const paths = [
    aRecording({
      'binance_incremental_book_L2_2026-01-06_BTCUSDT.csv': [
        head,
        ...[line(0, 'bid,100,5'), line(0, 'bid,99,5'), line(0, 'ask,101,5')],
        ...[line(200, 'bid,99,4'), line(200, 'ask,101,4')],
      ],
    }),
  ];
  const { events, counts } = await importSmall({ format: 'tardis-csv', paths });
  expect(booksOf(events)).toEqual(['100:5 99:5 | 101:5', '99:4 | 101:4']);
  expect(counts).toEqual({ resets: 1 });
});

test('full books that come some seconds late are made in order of time', async () => {
  const row = (ms: number, bid: number) => `${BEGIN_MS + ms},${bid},1,${bid + 1},1`;
  const paths = [
    aRecording({ 'b.csv': ['time,bp0,bq0,ap0,aq0', row(0, 100), row(4_000, 104), row(2_000, 102)] }),
  ];
  const mapping = aMapping('books', 'ms', '    levels: 1');
  const { events } = await importSmall({ format: 'csv', paths, mapping });
  expect(booksOf(events)).toEqual(['100:1 | 101:1', '102:1 | 103:1', '104:1 | 105:1']);
});

test('full books of binance-um replace each other', async () => {
  const snapshot = (ms: number, id: number, bid: string) =>
    `${BEGIN_MS + ms} ${JSON.stringify({
      lastUpdateId: id,
      E: BEGIN_MS + ms,
      T: BEGIN_MS + ms,
      bids: [[bid, '1.000']],
      asks: [['101.00', '1.000']],
    })}`;
  const paths = [aRecording({ btcusdt_20260106: [snapshot(0, 5, '100.00'), snapshot(100, 9, '99.00')] })];
  const { events, counts } = await importSmall({ format: 'binance-um', paths });
  expect(booksOf(events)).toEqual(['100:1000 | 101:1000', '99:1000 | 101:1000']);
  expect(counts).toEqual({ resets: 1 });
});
