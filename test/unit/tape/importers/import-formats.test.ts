/** @module Small recordings of each format as tapes: what each row becomes, and what is counted. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parseImportMapping } from '../../../../src/config/import-mapping.ts';
import { EVENT, openTape } from '../../../../src/tape/format/index.ts';
import type { ImportOptions } from '../../../../src/tape/importers/import-tape.ts';
import { importTape } from '../../../../src/tape/importers/index.ts';
import { rowsOf } from '../../../../src/tape/tools/index.ts';
import { aDiffLine, aFolder, aFrame, aSnapshotLine, aTradeLine, BASE_MS } from './recordings.ts';

const NAMES = new Map<number, string>(Object.entries(EVENT).map(([name, kind]) => [kind, name]));

/** Imports plain or packed files and tells the rows as `time kind price size id`, `.` behind the last of a frame. */
async function imported(options: Omit<ImportOptions, 'out' | 'locked'> & Partial<ImportOptions>) {
  const out = mkdtempSync(join(tmpdir(), 'tape-'));
  onTestFinished(() => rmSync(out, { recursive: true, force: true }));
  const result = await importTape({ locked: 'separate', ...options, out });
  const tape = openTape(out);
  const rows = [...rowsOf(tape.batches())].map(({ exchangeUs, kind, price, size, id, flags }) =>
    [
      sinceBase(exchangeUs),
      NAMES.get(kind),
      price,
      size,
      `${kind === EVENT.hole ? sinceBase(id) : id}${flags === 1 ? '.' : ''}`,
    ].join(' '),
  );
  return { ...result, rows, received: [...rowsOf(tape.batches())].map(({ receivedUs }) => receivedUs) };
}

/** Times of recordings that count from their base, as such; others as they are. */
function sinceBase(us: number): number {
  const since = us - BASE_MS * 1_000;
  return since >= 0 && since < 3_600_000_000 ? since : us;
}

/** A folder of plain files until the test ends. */
function plainFiles(files: Readonly<Record<string, readonly string[]>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'plain-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, lines] of Object.entries(files))
    writeFileSync(join(folder, name), lines.map((line) => `${line}\n`).join(''));
  return folder;
}

describe('binance-um', () => {
  test('drops diffs that the snapshot holds, repeated trades and what met no book; marks a broken chain', async () => {
    const folder = aFolder({
      'btcusdt_20240101.gz': [
        aDiffLine({ U: 1, u: 40, pu: 0, b: [['99.00', '1.000']] }),
        aSnapshotLine(),
        aTradeLine({ t: 7 }),
        aTradeLine({ t: 7 }),
        aTradeLine({ t: 8, X: 'INSURANCE_FUND' }),
        aDiffLine({ T: 1200, b: [['100.10', '3.000']] }),
        aDiffLine({ T: 1300, U: 80, u: 90, pu: 79, a: [['100.20', '0.000']] }),
      ],
    });
    const { rows, counts } = await imported({ format: 'binance-um', paths: [folder] });
    expect(rows).toEqual([
      '1000000 bookReset 0 0 0',
      '1000000 bidLevel 1001 1000 0',
      '1000000 askLevel 1002 2000 0.',
      '1100000 buyTrade 1002 500 7.',
      '1200000 bidLevel 1001 3000 0.',
      '1200000 hole 0 0 1300000.',
      '1300000 askLevel 1002 0 0.',
    ]);
    expect(counts).toEqual({ diffsDropped: 1, duplicatesDropped: 1, tradesOffBook: 1, sequenceGaps: 1 });
  });

  test('keeps a receive time before the exchange time as it was recorded, in us or ns', async () => {
    const trade = aTradeLine({ T: 1_700_000_001_000 - BASE_MS }).replace(/^\d+/, '1700000000500000123');
    const folder = aFolder({
      'btcusdt_20240101.gz': [aSnapshotLine({ T: 1_700_000_000_000 - BASE_MS }), trade],
    });
    const { received } = await imported({ format: 'binance-um', paths: [folder] });
    expect(received).toEqual([1700000000000000, 1700000000000000, 1700000000000000, 1700000000500000]);
  });

  test('refuses a frame of another market, and leaves no tape', async () => {
    const other = aFrame({
      e: 'trade',
      E: 1,
      T: 1,
      s: 'ETHUSDT',
      t: 1,
      p: '1',
      q: '1',
      X: 'MARKET',
      m: true,
    });
    const folder = aFolder({ 'btcusdt_20240101.gz': [aSnapshotLine(), other] });
    await expect(imported({ format: 'binance-um', paths: [folder] })).rejects.toThrow(
      /expected a frame of BTCUSDT, as the file is named at .*btcusdt_20240101.gz:2, got ETHUSDT/,
    );
  });
});

describe('tardis-csv', () => {
  const head = 'exchange,symbol,timestamp,local_timestamp,is_snapshot,side,price,amount';
  const line = (us: number, rest: string) =>
    `binance,BTCUSDT,${BASE_MS * 1_000 + us},${BASE_MS * 1_000 + us + 5},${rest}`;

  test('takes a snapshot in mid-stream over as a whole book and drops what came before the first', async () => {
    const folder = plainFiles({
      'binance_incremental_book_L2_2020-01-01_BTCUSDT.csv': [
        head,
        line(1_000_000, 'false,bid,7150.1,1'),
        line(2_000_000, 'true,bid,7150.1,2'),
        line(2_000_000, 'true,ask,7150.25,1.5'),
        line(3_000_000, 'false,bid,7150.1,0'),
        line(4_000_000, 'true,bid,7149,1e-1'),
      ],
      'binance_trades_2020-01-01_BTCUSDT.csv': [
        'exchange,symbol,timestamp,local_timestamp,id,side,price,amount',
        line(2_500_000, '11,buy,7150.25,0.5'),
        line(2_500_000, '11,buy,7150.25,0.5'),
        line(2_600_000, 'a-b,unknown,7150.1,0.1'),
      ],
    });
    const { rows, counts, markets } = await imported({ format: 'tardis-csv', paths: [folder] });
    expect(markets).toEqual([
      expect.objectContaining({ symbol: 'BTCUSDT', priceDecimals: 2, sizeDecimals: 1 }),
    ]);
    expect(markets[0]).not.toHaveProperty('hasOneTime');
    expect(rows).toEqual([
      '2000000 bookReset 0 0 0',
      '2000000 bidLevel 715010 20 0',
      '2000000 askLevel 715025 15 0.',
      '2500000 buyTrade 715025 5 11.',
      '2600000 sellTrade 715010 1 3.',
      '3000000 bidLevel 715010 0 0.',
      '4000000 bookReset 0 0 0',
      '4000000 bidLevel 714900 1 0.',
    ]);
    expect(counts).toEqual({
      beforeSnapshot: 1,
      duplicatesDropped: 1,
      aggressorsByTick: 1,
      idsReplaced: 1,
      resets: 1,
    });
  });
});

describe('lobster', () => {
  const name = 'AAPL_2012-06-21_34200000_57600000_message_10.csv';
  const at = '34200.017459617';
  /** 9:30 in New York on a summer day. */
  const us = Date.parse('2012-06-21T13:30:00Z') * 1_000 + 17_459;

  test('follows each order; executions of orders that rested before are trades alone', async () => {
    const folder = plainFiles({
      [name]: [
        `${at},1,16113575,18,5853300,1`,
        `${at},2,16113575,3,5853300,1`,
        `${at},4,16113575,10,5853300,1`,
        `${at},4,99,5,5853400,-1`,
        `${at},5,0,100,5853350,-1`,
        `${at},3,16113575,5,5853300,1`,
        `${at},7,0,0,-1,-1`,
      ],
    });
    const { rows, counts, markets, statistics } = await imported({ format: 'lobster', paths: [folder] });
    expect(markets).toEqual([expect.objectContaining({ symbol: 'AAPL', priceDecimals: 4, depth: 'orders' })]);
    expect(rows).toEqual(
      [
        'bookReset 0 0 0',
        'bidOrder 5853300 18 16113575.',
        'orderReduced 5853300 3 16113575.',
        'sellTrade 5853300 10 3',
        'orderExecuted 5853300 10 16113575.',
        'buyTrade 5853400 5 4.',
        'buyTrade 5853350 100 5.',
        'orderDeleted 5853300 5 16113575.',
        'marketStatus 0 1 0.',
      ].map((row) => `${us} ${row}`),
    );
    expect(counts).toEqual({ unknownOrders: 1 });
    expect(statistics).toEqual({
      AAPL: {
        messages: 7,
        types: { 1: 1, 2: 1, 3: 1, 4: 2, 5: 1, 7: 1 },
        tradedShares: 115,
        restingOrders: 0,
      },
    });
  });

  test('refuses an execution of more than rests', async () => {
    const folder = plainFiles({ [name]: [`${at},1,1,18,5853300,1`, `${at},4,1,19,5853300,1`] });
    await expect(imported({ format: 'lobster', paths: [folder] })).rejects.toThrow(
      /expected at most 18 of order 1, which is what rests at .*:2, got 19/,
    );
  });
});

describe('csv', () => {
  const mapping = (text: string) => parseImportMapping(text, 'mapping.yaml');

  test('reads columns, units and words as the mapping says', async () => {
    const folder = plainFiles({
      'trades-1.txt': ['when;px;qty;dir', '1700000000.25;10.5;2;B', '1700000001;10.25;1e-2;S'],
      'books.csv': ['t,bp0,bq0,bp1,bq1,ap0,aq0,ap1,aq1', '1700000000100,10,1,9.5,2,10.5,3,,'],
    });
    const { rows, markets } = await imported({
      format: 'csv',
      paths: [folder],
      mapping: mapping(`
symbol: GOLD-USD
files:
  - name: trades-*.txt
    rows: trades
    separator: ';'
    time: {column: when, unit: s}
    columns: {price: px, size: qty, side: dir}
    sides: {buy: B, sell: [S, X]}
  - name: books.csv
    rows: books
    levels: 2
    time: {column: t}
    columns: {bidPrice: 'bp{level}', bidSize: 'bq{level}', askPrice: 'ap{level}', askSize: 'aq{level}'}
`),
    });
    expect(markets).toEqual([
      expect.objectContaining({ symbol: 'GOLD-USD', priceDecimals: 2, depth: 'levels', hasOneTime: true }),
    ]);
    expect(rows).toEqual([
      '1700000000100000 bookReset 0 0 0',
      '1700000000100000 bidLevel 1000 100 0',
      '1700000000100000 bidLevel 950 200 0',
      '1700000000100000 askLevel 1050 300 0.',
      '1700000000250000 buyTrade 1050 200 1.',
      '1700000001000000 sellTrade 1025 1 2.',
    ]);
  });

  test('names the column that the mapping says and the file does not have', async () => {
    const folder = plainFiles({ 'a.csv': ['t,price,amount', '1700000000000,1,1'] });
    const files =
      'files: [{name: a.csv, rows: trades, time: {column: t}, columns: {price: price, size: qty}}]';
    await expect(imported({ format: 'csv', paths: [folder], mapping: mapping(files) })).rejects.toThrow(
      /expected the column "qty" that the mapping names at .*a.csv:1, got "t,price,amount"/,
    );
  });

  test('names what a mapping lacks, with its place', () => {
    expect(() => mapping('files: [{name: a, rows: bids, time: {column: t}, columns: {}}]')).toThrow(
      /mapping.yaml:1:25: files\[0\].rows: expected trades, quotes, levels, books or candles, got "bids"/,
    );
    expect(() => mapping('symbols: X\nfiles: []')).toThrow(/mapping.yaml:1:1: symbols: expected a known key/);
  });

  test('refuses a mapping without the columns that its rows need', async () => {
    const folder = plainFiles({ 'a.csv': ['t,price', '1700000000000,1'] });
    const files = 'files: [{name: a.csv, rows: trades, time: {column: t}, columns: {price: price}}]';
    await expect(imported({ format: 'csv', paths: [folder], mapping: mapping(files) })).rejects.toThrow(
      /expected columns for price, size, side\?, id\? of trades in files a.csv, got none for size/,
    );
  });
});

describe('feed', () => {
  const value = (ms: number, content: unknown) => JSON.stringify({ atMs: BASE_MS + ms, value: content });

  test('puts values of several feeds in order of time, and merges with no market needed', async () => {
    const folder = plainFiles({
      'mood.jsonl': [value(1_000, { score: 0.25 }), value(3_000, null)],
      'rate.jsonl': [value(2_000, 7)],
    });
    const { rows, out, kinds, statistics } = await imported({ format: 'feed', paths: [folder] });
    expect(rows).toEqual(['1000000 feed 0 0 0.', '2000000 feed 0 0 1.', '3000000 feed 0 0 2.']);
    const tape = openTape(out);
    expect(tape.feeds).toEqual(['mood', 'rate']);
    expect([0, 1, 2].map((line) => tape.feedLine(line))).toEqual(['{"score":0.25}', '7', 'null']);
    expect(kinds).toEqual({ 'feed:mood': { feed: 2 }, 'feed:rate': { feed: 1 } });
    expect(statistics).toMatchObject({
      mood: { values: 2, firstMs: BASE_MS + 1_000, lastMs: BASE_MS + 3_000 },
    });
  });

  test('puts values that come some seconds late in order, and refuses older ones', async () => {
    const late = plainFiles({ 'mood.jsonl': [value(2_000, 1), value(1_000, 2)] });
    const { rows } = await imported({ format: 'feed', paths: [late] });
    expect(rows).toEqual(['1000000 feed 0 0 0.', '2000000 feed 0 0 1.']);
    const falling = plainFiles({ 'mood.jsonl': [90_000, 60_000, 59_000].map((ms) => value(ms, 1)) });
    await expect(imported({ format: 'feed', paths: [falling] })).rejects.toThrow(
      /expected rows in order of exchange time, .* at .*mood.jsonl:3, got 2020-09-13T12:27:39.000Z after/,
    );
  });
});

describe('hyperliquid', () => {
  const trades = 'timestamp,price,size,side,trade_id,exchange_timestamp';
  const at = (second: number) => BASE_MS / 1_000 + second;

  test('joins both sides of a best quote, drops trades told again, keeps those that were missed in their place', async () => {
    const folder = plainFiles({
      'prices_BTC.csv': [
        'timestamp,price,size,side,exchange_timestamp',
        `${at(10)}.1234567,100.0,1e-05,bid,${at(10)}000`,
        `${at(10)}.1234567,101.0,2.0,ask,${at(10)}000`,
        `${at(11)}.5,100.5,1.0,bid,${at(11)}000`,
      ],
      'trades_BTC.csv': [
        trades,
        `${at(10)}.2,100.0,1.0,buy,7,${at(9)}000`,
        `${at(12)}.0,100.0,1.0,buy,7,${at(9)}000`,
        `${at(12)}.0,100.5,2.0,sell,8,${at(10)}500`,
      ],
    });
    const { rows, counts, received, markets } = await imported({ format: 'hyperliquid', paths: [folder] });
    expect(markets).toEqual([expect.objectContaining({ priceDecimals: 1, sizeDecimals: 5, depth: 'bbo' })]);
    expect(rows).toEqual([
      '9000000 buyTrade 1000 100000 7.',
      '10000000 bestBid 1000 1 0',
      '10000000 bestAsk 1010 200000 0.',
      '10500000 sellTrade 1005 200000 8.',
      '11000000 bestBid 1005 100000 0.',
    ]);
    expect(received.map(sinceBase)).toEqual([10200000, 10123456, 10123456, 12000000, 11500000]);
    expect(counts).toEqual({ duplicatesDropped: 1 });
  });
});

describe('bars', () => {
  test('stand at their end, settlements carry the mark of their moment, a missing bar leaves a gap', async () => {
    const minute = 60_000;
    const at = (minutes: number) => 1_700_000_040_000 + minutes * minute;
    const us = (minutes: number) => at(minutes) * 1_000;
    const folder = plainFiles({
      'BTC_1m.csv': [
        'ts_ms,open,high,low,close,volume',
        `${at(0)},10.5,12,10,11,3`,
        `${at(1)},11,11,10,10,1.5`,
        `${at(4)},10,10,10,10,1`,
      ],
      'BTC_mark_2m.csv': ['ts_ms,open,high,low,close', `${at(0)},10.04,11,10,11`],
      'BTC_funding_2m.csv': ['ts_ms,funding_rate', `${at(0) + 5},0.000123456789`, `${at(3)},-1e-05`],
    });
    const { rows, counts } = await imported({ format: 'binance-candles', paths: [folder] });
    const bar = (minutes: number, [open, high, low, close, volume]: readonly number[]) => [
      `${us(minutes + 1)} candleOpen ${open} 0 60000`,
      `${us(minutes + 1)} candleHigh ${high} 0 ${at(minutes)}`,
      `${us(minutes + 1)} candleLow ${low} 0 0`,
      `${us(minutes + 1)} candleClose ${close} ${volume} 0.`,
    ];
    expect(rows).toEqual([
      `${us(0)} mark 100 0 0.`,
      `${us(0) + 5_000} fundingSettled 100 123457 0.`,
      ...bar(0, [105, 120, 100, 110, 30]),
      `${us(2)} mark 110 0 0.`,
      ...bar(1, [110, 110, 100, 100, 15]),
      `${us(3)} fundingSettled 0 -10000 0.`,
      `${us(3)} hole 0 0 ${us(5)}.`,
      ...bar(4, [100, 100, 100, 100, 10]),
    ]);
    expect(counts).toEqual({
      gaps: 1,
      gapsMs: 2 * minute,
      pricesRounded: 1,
      ratesRounded: 1,
      settlementsUnpriced: 1,
    });
  });
});

describe('the tape of the same files', () => {
  test('is the same to the last byte, wherever they lie', async () => {
    const lines = [aSnapshotLine(), aDiffLine({ b: [['100.10', '3.000']] }), aTradeLine({ t: 7 })];
    const hashes = [];
    for (let i = 0; i < 2; i++) {
      const paths = [aFolder({ 'btcusdt_20240101.gz': lines })];
      hashes.push((await imported({ format: 'binance-um', paths })).hash);
    }
    expect(hashes[0]).toBe(hashes[1]);
  });
});
