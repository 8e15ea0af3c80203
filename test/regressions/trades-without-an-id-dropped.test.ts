/**
 * Symptom, found with a file whose `id` column was empty: of 50 different trades one was left, the others were counted as
 * duplicates. A duplicate is the same trade, not the same id, and what stands for no id is none.
 */
import { describe, expect, test } from 'vitest';
import { aMapping, aRecording, BEGIN_MS, importSmall } from '../support/small-import.ts';

interface Trade {
  readonly ms: number;
  readonly price: number;
  readonly id: string;
}

async function imported(trades: readonly Trade[]) {
  const lines = trades.map(({ ms, price, id }) => `${BEGIN_MS + ms},${price},1,buy,${id}`);
  const paths = [aRecording({ 't.csv': ['time,price,qty,side,id', ...lines] })];
  const { rows, counts } = await importSmall({ format: 'csv', paths, mapping: aMapping('trades') });
  return { trades: rows.length, counts };
}

const different = (idOf: (at: number) => string, count = 50): readonly Trade[] =>
  Array.from({ length: count }, (_, at) => ({ ms: at * 1_000, price: 100 + (at % 3), id: idOf(at) }));

describe('trades of format csv', () => {
  test.each([
    '',
    '0',
    '0.0',
    '000',
    '-1',
    'null',
    'NULL',
    'NaN',
    'None',
    'n/a',
    'N/A',
    '-',
    '--',
    'undefined',
    '#N/A',
    '00000000-0000-0000-0000-000000000000',
  ])('are all kept where the id is "%s"', async (id) => {
    expect(await imported(different(() => id))).toEqual({ trades: 50, counts: { idsMissing: 50 } });
  });

  test('are all kept where one id is that of all', async () => {
    expect(await imported(different(() => 'spot'))).toMatchObject({ trades: 50, counts: { idsReused: 49 } });
    // The first two are the same in everything: only the third shows that the id is a constant.
    const alike = [
      { ms: 0, price: 100, id: '7' },
      { ms: 0, price: 100, id: '7' },
      { ms: 1_000, price: 101, id: '7' },
    ];
    expect(await imported(alike)).toMatchObject({ trades: 3 });
  });

  test('are all kept where ids start again', async () => {
    const trades = different((at) => String((at % 25) + 1));
    expect(await imported(trades)).toEqual({ trades: 50, counts: { idsReused: 25 } });
  });

  test('are dropped where one is repeated: id, time, price, size and side', async () => {
    const trades = different((at) => String(at + 1));
    expect(await imported(trades.flatMap((trade) => [trade, trade]))).toEqual({
      trades: 50,
      counts: { duplicatesDropped: 50 },
    });
    const [first] = trades;
    expect(await imported([...trades.slice(0, 5), ...(first === undefined ? [] : [first])])).toEqual({
      trades: 5,
      counts: { duplicatesDropped: 1 },
    });
  });

  test('without an id that repeat one of the same moment are kept and counted', async () => {
    const trades = different(() => '').flatMap((trade) => [trade, trade]);
    expect(await imported(trades)).toEqual({ trades: 100, counts: { idsMissing: 100, repeatsKept: 50 } });
  });
});

test('trades of hyperliquid without an id are all kept', async () => {
  const head = 'timestamp,price,size,side,trade_id,exchange_timestamp';
  const lines = [0, 1, 2].map((at) => `${BEGIN_MS / 1_000 + at}.5,10${at},1,buy,0,${BEGIN_MS + at * 1_000}`);
  const paths = [aRecording({ 'trades_BTC.csv': [head, ...lines] })];
  const { rows, counts } = await importSmall({ format: 'hyperliquid', paths });
  expect(rows).toEqual(['0 buyTrade 100 1 1', '1000 buyTrade 101 1 2', '2000 buyTrade 102 1 3']);
  expect(counts).toEqual({ idsMissing: 3 });
});

test('messages of lobster and values of a feed that repeat are kept and counted', async () => {
  const name = 'AAPL_2026-01-06_34200000_57600000_message_10.csv';
  const reduced = '34201.5,2,7,3,5853300,1';
  const paths = [aRecording({ [name]: ['34200.5,1,7,18,5853300,1', reduced, reduced] })];
  expect((await importSmall({ format: 'lobster', paths })).counts).toEqual({ repeatsKept: 1 });
  const value = JSON.stringify({ atMs: BEGIN_MS, value: 1 });
  const feed = [aRecording({ 'mood.jsonl': [value, value] })];
  expect((await importSmall({ format: 'feed', paths: feed })).counts).toEqual({ repeatsKept: 1 });
});

test('trades of binance-um whose numbers start again are all kept', async () => {
  const frame = (ms: number, data: Readonly<Record<string, unknown>>) =>
    `${BEGIN_MS + ms} ${JSON.stringify({ stream: 'btcusdt@trade', data: { s: 'BTCUSDT', E: BEGIN_MS + ms, T: BEGIN_MS + ms, ...data } })}`;
  const snapshot = {
    lastUpdateId: 5,
    E: BEGIN_MS,
    T: BEGIN_MS,
    bids: [['100.0', '1']],
    asks: [['101.0', '1']],
  };
  const trades = [7, 8, 1, 2].map((t, at) =>
    frame(100 * at, { e: 'trade', t, p: '100.0', q: '1', X: 'MARKET', m: true }),
  );
  const paths = [aRecording({ btcusdt_20260106: [`${BEGIN_MS} ${JSON.stringify(snapshot)}`, ...trades] })];
  const { rows, counts } = await importSmall({ format: 'binance-um', paths });
  expect(rows.filter((row) => row.includes('sellTrade'))).toHaveLength(4);
  expect(counts).toEqual({ tradeIdGaps: 1 });
});
