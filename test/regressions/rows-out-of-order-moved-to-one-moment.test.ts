/**
 * Symptom, found with a file that had its newest trades first: 169 of 200 rows were moved to one moment, with exit code 0.
 * Rows that are more than 30 s late are refused with file and line, or sorted on disk with `--sort`.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { DiskSort } from '../../src/tape/importers/disk-sort.ts';
import type { ImportOptions } from '../../src/tape/importers/import-tape.ts';
import {
  aMapping,
  aRecording,
  aTemporaryFolder,
  BEGIN_MS,
  importSmall,
  refusalOf,
} from '../support/small-import.ts';

const COUNT = 200;
const at = Array.from({ length: COUNT }, (_, second) => second);
/** 73 and 200 have no common divisor: each second once. */
const shuffled = at.map((second) => (second * 73) % COUNT);

type Small = Omit<ImportOptions, 'out' | 'locked'>;

/** A recording of each format and kind of rows whose rows have these seconds, in this order. */
const RECORDINGS: Readonly<Record<string, (seconds: readonly number[]) => Small>> = {
  'csv trades': (seconds) => ({
    format: 'csv',
    mapping: aMapping('trades'),
    paths: [
      aRecording({
        't.csv': [
          'time,price,qty,side,id',
          ...seconds.map((s) => `${BEGIN_MS + s * 1_000},${100 + s},1,buy,${s + 1}`),
        ],
      }),
    ],
  }),
  'csv quotes': (seconds) => ({
    format: 'csv',
    mapping: aMapping('quotes'),
    paths: [
      aRecording({
        'q.csv': [
          'time,bp,bq,ap,aq',
          ...seconds.map((s) => `${BEGIN_MS + s * 1_000},${100 + s},1,${101 + s},1`),
        ],
      }),
    ],
  }),
  'csv levels': (seconds) => ({
    format: 'csv',
    mapping: aMapping('levels'),
    paths: [
      aRecording({
        'l.csv': [
          'time,price,qty,side,snap',
          ...seconds.map((s) => `${BEGIN_MS + s * 1_000},${100 + s},1,bid,true`),
        ],
      }),
    ],
  }),
  'csv books': (seconds) => ({
    format: 'csv',
    mapping: aMapping('books', 'ms', '    levels: 1'),
    paths: [
      aRecording({
        'b.csv': [
          'time,bp0,bq0,ap0,aq0',
          ...seconds.map((s) => `${BEGIN_MS + s * 1_000},${100 + s},1,${101 + s},1`),
        ],
      }),
    ],
  }),
  'tardis-csv trades': (seconds) => ({
    format: 'tardis-csv',
    paths: [
      aRecording({
        'binance_trades_2026-01-06_BTCUSDT.csv': [
          'exchange,symbol,timestamp,local_timestamp,id,side,price,amount',
          ...seconds.map(
            (s) =>
              `binance,BTCUSDT,${(BEGIN_MS + s * 1_000) * 1_000},${(BEGIN_MS + s * 1_000) * 1_000 + 5},${s + 1},buy,${100 + s},1`,
          ),
        ],
      }),
    ],
  }),
  'hyperliquid trades': (seconds) => ({
    format: 'hyperliquid',
    paths: [
      aRecording({
        'trades_BTC.csv': [
          'timestamp,price,size,side,trade_id,exchange_timestamp',
          ...seconds.map(
            (s) => `${BEGIN_MS / 1_000 + s}.5,${100 + s},1,buy,${s + 1},${BEGIN_MS + s * 1_000}`,
          ),
        ],
      }),
    ],
  }),
  'gemini trades': (seconds) => ({
    format: 'gemini',
    paths: [
      aRecording({
        'trade.csv': [
          'time_seconds,price,size,is_buyer_maker',
          ...seconds.map((s) => `${BEGIN_MS / 1_000 + s},${100 + s},1,0`),
        ],
      }),
    ],
  }),
  'standx trades': (seconds) => ({
    format: 'standx',
    paths: [
      aRecording({
        'trades_2026-01-06_00.csv': [
          'exch_ms,recv_us,price,qty,side',
          ...seconds.map(
            (s) => `${BEGIN_MS + s * 1_000},${(BEGIN_MS + s * 1_000) * 1_000},${100 + s},1,SELL`,
          ),
        ],
      }),
    ],
  }),
  'lobster orders': (seconds) => ({
    format: 'lobster',
    paths: [
      aRecording({
        'AAPL_2026-01-06_34200000_57600000_message_10.csv': seconds.map(
          (s) => `${34_200 + s}.5,1,${s + 1},18,5853300,1`,
        ),
      }),
    ],
  }),
  feed: (seconds) => ({
    format: 'feed',
    paths: [
      aRecording({
        'mood.jsonl': seconds.map((s) => JSON.stringify({ atMs: BEGIN_MS + s * 1_000, value: s })),
      }),
    ],
  }),
};

describe.each(Object.entries(RECORDINGS))('%s', (_name, recording) => {
  test.each([
    ['newest first', at.toReversed()],
    ['shuffled', shuffled],
    ['with the later half first', [...at.slice(COUNT / 2), ...at.slice(0, COUNT / 2)]],
  ])(
    '%s are refused with file, line and remedy, and sorted when that is asked for',
    async (_how, seconds) => {
      const options = recording(seconds);
      const { code, words } = await refusalOf(importSmall(options));
      expect(code).toBe('TAPE_ORDER_INVALID');
      expect(words).toMatch(/market\/[^:]+:\d+, got 2026-01-06T.* after 2026-01-06T[\s\S]*--sort/);
      const sorted = await importSmall({ ...options, sort: true });
      const straight = await importSmall(recording(at));
      expect(sorted.rows).toEqual(straight.rows);
      expect(sorted.quality.late.records).toBeGreaterThan(0);
      expect(readdirSync(sorted.out).filter((name) => name.startsWith('.'))).toEqual([]);
    },
  );

  test('10 s out of order are put right without a word', async () => {
    const swapped = [...at.slice(0, 50), ...at.slice(60, 70), ...at.slice(50, 60), ...at.slice(70)];
    const { rows, counts } = await importSmall(recording(swapped));
    expect(rows).toEqual((await importSmall(recording(at))).rows);
    expect(counts).not.toHaveProperty('lateMoved');
  });
});

describe('DiskSort', () => {
  test.each([1, 300, 10_000_000])(
    'sorts in runs of %i bytes, and keeps the order of equal times',
    (runBytes) => {
      const folder = aTemporaryFolder();
      const disk = new DiskSort<{ readonly exchangeUs: number; readonly id: bigint }>(folder, runBytes);
      const count = 500;
      for (let id = 0; id < count; id++) disk.add({ exchangeUs: (id * 73) % 100, id: BigInt(id) });
      const sorted = [...disk.sorted()];
      disk.close();
      expect(sorted).toHaveLength(count);
      const isInOrder = sorted.every(
        ({ exchangeUs, id }, place) =>
          place === 0 ||
          exchangeUs > (sorted[place - 1]?.exchangeUs ?? 0) ||
          (exchangeUs === sorted[place - 1]?.exchangeUs && id > (sorted[place - 1]?.id ?? 0n)),
      );
      expect(isInOrder).toBe(true);
      expect(readdirSync(join(folder))).toEqual([]);
    },
  );
});
