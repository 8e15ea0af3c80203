import { describe, expect, test } from 'vitest';
import { decodeBinanceLine } from '../../../../src/tape/importers/venues/binance-um.ts';
import { importedFlow } from '../../../support/imported-flow.ts';
import {
  aDiffLine,
  aFolder,
  aFrame,
  aMarkLine,
  aSnapshotLine,
  aTradeLine,
  BASE_MS,
  levels,
  sinceBase,
} from './recordings.ts';

const place = { file: 'x.gz', line: 3 };
const decode = (text: string) => decodeBinanceLine({ place, text }, 'um');
const eventsOf = async (...lines: readonly string[]) => {
  const { market, events, result } = await importedFlow(
    'binance-um',
    aFolder({ 'btcusdt_20240101.gz': lines }),
  );
  return { market, events: events.map(sinceBase), counts: result.counts };
};

describe('decodeBinanceLine', () => {
  test.each([
    ['1700000000123456789', 1700000000123456789n],
    ['1700000000123456', 1700000000123456000n],
    ['1700000000123', 1700000000123000000n],
  ])('keeps the receive time %s as nanoseconds', (stamp, receivedAtNs) => {
    const data = { e: 'bookTicker', u: 1, b: '1.0', B: '2.0', a: '3.0', A: '4.0', T: 5, E: 6 };
    expect(decode(aFrame(data, stamp))).toMatchObject({
      kind: 'bookTicker',
      receivedAtNs,
      bid: ['1.0', '2.0'],
    });
  });

  test('hands out frames of other streams as such', () => {
    expect(decode(aFrame({ e: 'forceOrder' }))).toMatchObject({ kind: 'other', stream: 'btcusdt@x' });
  });

  test.each([
    ['no-blank-here', 'a receive time, a blank and a JSON message'],
    [`17000 ${'{}'}`, 'a receive time of 13 (ms), 16 (us) or 19 (ns) digits'],
    ['1700000000000000 {"stream":', 'a JSON message'],
    ['1700000000000000 []', 'a JSON object'],
    [aTradeLine({ p: 100.2 }), 'p as a text'],
    [aTradeLine({ m: 1 }), 'm as true or false'],
    [aDiffLine({ u: '60' }), 'u as an integer'],
    [aDiffLine({ b: [['1.0']] }), 'b as a list of [price, size]'],
    [aSnapshotLine({ lastUpdateId: undefined }), 'lastUpdateId as an integer'],
  ])('error: names file, line and what was expected of %s', (text, expected) => {
    expect(() => decode(text)).toThrowError(`expected ${expected} at x.gz:3, got `);
  });
});

describe('a Binance recording', () => {
  test('builds levels from snapshot and diffs and drops diffs the snapshot contains', async () => {
    const { market, events, counts } = await eventsOf(
      aDiffLine({ U: 30, u: 49, pu: 29, T: 980, b: [['100.10', '9.000']] }),
      aDiffLine({ U: 50, u: 55, pu: 49, T: 1001, b: [['100.00', '3.000']] }),
      aSnapshotLine(),
      aDiffLine({ U: 56, u: 60, pu: 55, T: 1100, b: [['100.10', '0.000']], a: [['100.30', '4.000']] }),
    );
    expect(events.map((event) => event.kind === 'levels' && [event.atMs, event.bids, event.asks])).toEqual([
      [1000, levels([1001, 1_000]), levels([1002, 2_000])],
      [1001, levels([1001, 1_000], [1000, 3_000]), levels([1002, 2_000])],
      [1100, levels([1000, 3_000]), levels([1002, 2_000], [1003, 4_000])],
    ]);
    // Prices as coarse as the snapshot has them, sizes as it prints them.
    expect(market).toMatchObject({ priceDecimals: 1, sizeDecimals: 3 });
    expect(counts).toEqual({ diffsDropped: 1 });
  });

  test('counts a break in the chain of update ids and goes on', async () => {
    const b = [['100.00', '3.000']];
    const { counts, events } = await eventsOf(
      aSnapshotLine(),
      aDiffLine({ b }),
      aDiffLine({ U: 71, u: 80, pu: 70, T: 1200, b }),
    );
    expect(events).toMatchObject([
      { kind: 'levels', atMs: 1000 },
      { kind: 'levels', atMs: 1100 },
      { kind: 'gap', atMs: 1100, untilMs: 1200 },
      { kind: 'levels', atMs: 1200 },
    ]);
    expect(counts).toEqual({ sequenceGaps: 1 });
  });

  test('takes the taker from the maker flag and puts trades before levels of the same millisecond', async () => {
    const { events } = await eventsOf(
      aSnapshotLine({ bids: [['100.10', '1.001']] }),
      aDiffLine({ T: 1100, b: [['100.00', '3.000']] }),
      aTradeLine({ T: 1100, t: 1, m: false }),
      aTradeLine({ T: 1100, t: 2, m: true, p: '100.10' }),
    );
    expect(events.slice(1)).toMatchObject([
      { kind: 'trade', aggressor: 'buy', priceTicks: 1002, sizeLots: 500 },
      { kind: 'trade', aggressor: 'sell', priceTicks: 1001, sizeLots: 500 },
      { kind: 'levels' },
    ]);
  });

  test('drops trades that did not meet the book, that repeat, or that precede it; counts missing ids', async () => {
    const snapshot = aSnapshotLine({ bids: [['100.10', '1.001']] });
    const { counts, events } = await eventsOf(
      aTradeLine({ t: 1, T: 900 }),
      snapshot,
      aTradeLine({ t: 2, X: 'INSURANCE_FUND', p: '150.77' }),
      aTradeLine({ t: 3 }),
      aTradeLine({ t: 3 }),
      aTradeLine({ t: 7 }),
    );
    expect(events.map(({ kind }) => kind)).toEqual(['levels', 'trade', 'trade']);
    expect(counts).toEqual({ tradesOffBook: 1, duplicatesDropped: 1, tradeIdGaps: 1 });
  });

  test('plays the index price, rounded half up to the tick', async () => {
    const { events } = await eventsOf(aSnapshotLine(), aMarkLine());
    expect(events[1]).toEqual({ kind: 'mark', atMs: 1500, indexTicks: 1001 });
  });

  test('error: names the line of a price off the step of the snapshot', async () => {
    const folder = aFolder({ 'btcusdt_20240101.gz': [aSnapshotLine(), aDiffLine({ b: [['100.05', '1']] })] });
    await expect(importedFlow('binance-um', folder)).rejects.toThrowError(
      /^expected a price above zero with at most 1 decimals at .*btcusdt_20240101.gz:2, got "100.05"$/,
    );
  });

  test('error: says that the snapshot is missing', async () => {
    const folder = aFolder({ 'btcusdt_20240101.gz': [aDiffLine()] });
    await expect(importedFlow('binance-um', folder)).rejects.toThrowError(
      /^expected a REST depth snapshot within the first 20000 records .*got none in 1$/,
    );
  });

  test('continues one book over several files in order of their names', async () => {
    const folder = aFolder({
      'btcusdt_20240102.dat.gz': [aDiffLine({ b: [['100.00', '3.000']] })],
      'btcusdt_20240101.dat.gz': [aSnapshotLine()],
    });
    const { events } = await importedFlow('binance-um', folder);
    expect(events[1]).toMatchObject({ atMs: BASE_MS + 1100, bids: levels([1001, 1_000], [1000, 3_000]) });
  });
});

describe('the figures of a Binance recording', () => {
  test('holds best quotes against the book at the same update id, whichever comes first', async () => {
    const ticker = (u: number, b: string) =>
      aFrame({ e: 'bookTicker', u, b, B: '1.000', a: '100.20', A: '2.000', T: 1, E: 1 });
    const folder = aFolder({
      'btcusdt_20240101.gz': [
        aSnapshotLine(),
        ticker(60, '100.10'),
        aDiffLine(),
        aDiffLine({ U: 61, u: 70, pu: 60 }),
        ticker(70, '99.90'),
        ticker(75, '100.10'),
      ],
    });
    expect((await importedFlow('binance-um', folder)).result.statistics).toMatchObject({
      BTCUSDT: { bookTickerSameUpdateIdAgree: 1, bookTickerSameUpdateIdDisagree: 1, diffsApplied: 2 },
    });
  });
});
