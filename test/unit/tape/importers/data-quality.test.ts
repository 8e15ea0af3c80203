/** @module The data quality that an import finds, and what it does not take without being told. */
import { describe, expect, test } from 'vitest';
import { openTape } from '../../../../src/tape/format/index.ts';
import { describeQuality } from '../../../../src/tape/format/quality-text.ts';
import { aMapping, aRecording, BEGIN_MS, importSmall, refusalOf } from '../../../support/small-import.ts';

const TRADES = 'time,seen,price,qty,side,id';
const received = aMapping('trades', 'ms', '    received: {column: seen, unit: ms}');

/** Trades of format csv, one each `stepMs`, received `latencyOf` ms later. */
function trades(
  latencyOf: (at: number) => number,
  {
    count = 200,
    stepMs = 7,
    sideOf = () => 'buy',
  }: { count?: number; stepMs?: number; sideOf?: (at: number) => string } = {},
) {
  const lines = Array.from({ length: count }, (_, at) => {
    const ms = BEGIN_MS + at * stepMs;
    return `${ms},${ms + latencyOf(at)},${100 + (at % 3)},1,${sideOf(at)},${at + 1}`;
  });
  return importSmall({
    format: 'csv',
    mapping: received,
    paths: [aRecording({ 't.csv': [TRADES, ...lines] })],
  });
}

describe('the clock of a recorder', () => {
  test('that runs behind is measured, with the offset that puts it right', async () => {
    const { quality } = await trades((at) => (at % 4 === 0 ? -12 : 30));
    expect(quality.clock).toEqual({
      ...{ records: 200, negative: 50, negativeFraction: 0.25 },
      ...{ medianMs: 30, minMs: -12, feedClockOffset: '12ms' },
    });
    expect(quality.meaning[0]).toMatch(
      /behind the exchange's for 25 % of the records.*feedClockOffset: 12ms/,
    );
  });

  test('that is right has no offset', async () => {
    const { quality } = await trades(() => 30);
    expect(quality.clock).toMatchObject({ negative: 0, feedClockOffset: null });
    expect(quality.meaning).toEqual(['Nothing was found that would change a backtest.']);
  });

  test('is unknown without receive times', async () => {
    const paths = [aRecording({ 't.csv': ['time,price,qty,side,id', `${BEGIN_MS},1,1,buy,1`] })];
    const { quality } = await importSmall({ format: 'csv', mapping: aMapping('trades'), paths });
    expect(quality.clock).toBeNull();
    expect(quality.meaning[0]).toContain('No record has a receive time');
  });
});

test('times and prices that only come in steps are found', async () => {
  const lines = Array.from(
    { length: 200 },
    (_, at) => `${BEGIN_MS + at * 1_000},${100 + (at % 7) * 0.5},1,buy,${at + 1}`,
  );
  const noise = `${BEGIN_MS + 300_000},100.25,1,buy,999`;
  const imported = async (rows: readonly string[]) => {
    const paths = [aRecording({ 't.csv': ['time,price,qty,side,id', ...rows] })];
    return (await importSmall({ format: 'csv', mapping: aMapping('trades'), paths })).quality.coarse;
  };
  expect(await imported(lines)).toEqual([{ market: 'BTC-USD', rows: 'trades', price: '0.5', timeMs: 1_000 }]);
  expect(await imported([...lines, noise])).toEqual([
    { market: 'BTC-USD', rows: 'trades', price: '0.25', timeMs: 1_000 },
  ]);
  expect((await trades(() => 1)).quality.coarse).toEqual([]);
});

test('gaps, silences and duplicates are counted with their lengths', async () => {
  const quote = (ms: number) => `${BEGIN_MS + ms},100,1,101,1`;
  const paths = [
    aRecording({ 'q.csv': ['time,bp,bq,ap,aq', ...[0, 1_000, 9_000, 10_000, 40_000].map(quote)] }),
  ];
  const { quality } = await importSmall({ format: 'csv', mapping: aMapping('quotes'), paths });
  expect(quality.gaps).toEqual({ count: 2, totalMs: 38_000, longestMs: 30_000 });
  expect(quality.longestSilenceMs).toBe(30_000);
  expect(quality.rows).toEqual({ hole: 2, bestBid: 5, bestAsk: 5 });
  expect(quality.meaning.join(' ')).toContain('The book is unknown for 95 % of the span');
});

describe('more than 1 % of the records that must be dropped', () => {
  // The price never moves before: nothing says who the taker was.
  const unknown = (share: number) =>
    Array.from({ length: 200 }, (_, at) => `${BEGIN_MS + at},100,1,${at < share ? '?' : 'buy'},${at + 1}`);
  const options = (share: number) => ({
    format: 'csv' as const,
    mapping: aMapping('trades'),
    paths: [aRecording({ 't.csv': ['time,price,qty,side,id', ...unknown(share)] })],
  });

  test('are refused with the counts, and taken when that is said', async () => {
    const { code, words } = await refusalOf(importSmall(options(3)));
    expect(code).toBe('TAPE_REPAIRS_EXCEEDED');
    expect(words).toMatch(
      /got 1.50 %: 3 dropped and 0 moved of 200 \(tradesWithoutSide 3\)[\s\S]*--accept-repairs/,
    );
    const { quality } = await importSmall({ ...options(3), acceptRepairs: true });
    expect(quality.repaired).toEqual({ dropped: 3, moved: 0, fraction: 0.015 });
    expect((await importSmall(options(2))).quality.repaired.dropped).toBe(2);
  });
});

test('the tape keeps the quality, and a changed one is found', async () => {
  const { out, quality } = await trades(() => -3);
  expect(openTape(out).manifest.quality).toEqual(quality);
  expect(describeQuality(quality)).toEqual([
    'rows: 200 buyTrade; of 200 records',
    'span: 2026-01-06T00:00:00.000Z to 2026-01-06T00:00:01.393Z, longest silence 7 ms',
    'gaps: none',
    'duplicates: none',
    'repairs: no record dropped or moved',
    'order: as recorded',
    "clock: received -3 ms after the exchange's time (median), lowest -3 ms, below zero 100 %, paper.feedClockOffset: 3ms puts it right",
    'steps: no coarse ones',
    expect.stringContaining("means: The recorder's clock was behind"),
  ]);
});
