import { describe, expect, test } from 'vitest';
import { ticks } from '../../../../src/domain/index.ts';
import { LOCKED_BOOK_RULE } from '../../../../src/tape/importers/book-repair.ts';
import { describeImportCounts } from '../../../../src/tape/importers/index.ts';
import { AggressorRule } from '../../../../src/tape/importers/venues/standx-aggressor.ts';
import { importedFlow } from '../../../support/imported-flow.ts';
import {
  aBookRow,
  aFolder,
  aStandxFolder,
  aTradeRow,
  BASE_MS,
  bookHeader,
  levels,
  sinceBase,
  tradesHeader,
} from './recordings.ts';

const open: readonly [readonly [string, string], readonly [string, string]] = [
  ['93274', '0.1211'],
  ['93275.1', '0.0002'],
];
const aBook = (atMs: number, bid = open[0], ask = open[1]) => aBookRow(atMs, [bid], [ask]);
const eventsOf = async (books: readonly string[], trades: readonly string[] = []) => {
  const { events, result, tradesMoved } = await importedFlow('standx', aStandxFolder(books, trades));
  return { events: events.map(sinceBase), counts: result.counts, tradesMoved };
};
const refusalOf = (folder: string) => importedFlow('standx', folder);

describe('a StandX recording', () => {
  test('drops the second copy of each snapshot and counts it', async () => {
    const { counts, events } = await eventsOf([aBook(1000), aBook(1000), aBook(1250), aBook(1250)]);
    expect(events.map(({ atMs }) => atMs)).toEqual([1000, 1250]);
    expect(events[0]).toMatchObject({ bids: levels([9327400, 1211]), asks: levels([9327510, 2]) });
    expect(counts.duplicatesDropped).toBe(2);
  });

  test('keeps a second snapshot of the same millisecond whose levels differ', async () => {
    const { counts, events } = await eventsOf([aBook(1000), aBook(1000, ['93274', '0.5'])]);
    expect(events).toHaveLength(2);
    expect(counts.duplicatesDropped).toBeUndefined();
  });

  test('lets the bid that stood there before keep a locked price and says the rule', async () => {
    const { counts, events } = await eventsOf([aBook(1000), aBook(1250, open[0], ['93274', '0.0003'])]);
    expect(events[1]).toMatchObject({ bids: levels([9327400, 1211]), asks: levels([9327401, 3]) });
    expect(counts).toEqual({ lockedBooks: 1, booksSeparated: 1 });
    expect(describeImportCounts(counts).at(-1)).toBe(LOCKED_BOOK_RULE);
  });

  test('brings a trade within the cut step of a best price to where that level rests', async () => {
    const locked = aBook(1000, open[0], ['93274', '0.0003']);
    const { counts, events, tradesMoved } = await eventsOf(
      [locked],
      [
        aTradeRow(1100, '93273.99'),
        aTradeRow(1101, '93274.05'),
        aTradeRow(1102, '93274.03'),
        aTradeRow(1103, '93275'),
      ],
    );
    expect(events.slice(1)).toMatchObject([
      { aggressor: 'sell', priceTicks: 9327399 },
      { aggressor: 'buy', priceTicks: 9327401 },
      { aggressor: 'sell', priceTicks: 9327400 },
      { aggressor: 'buy', priceTicks: 9327500 },
    ]);
    expect(tradesMoved).toBe(2);
    expect(counts).toMatchObject({ aggressorsByQuote: 2, aggressorsByTick: 2 });
  });

  test('judges a trade by the book before its millisecond and keeps several of one', async () => {
    const { events } = await eventsOf(
      [aBook(1000), aBook(1250, ['93276', '1'], ['93277', '1'])],
      [aTradeRow(1000, '93274'), aTradeRow(1250, '93275.1'), aTradeRow(1250, '93275.2', '0.02')],
    );
    expect(events.map(({ kind }) => kind)).toEqual(['levels', 'trade', 'trade', 'levels']);
    expect(events.slice(1, 3)).toMatchObject([
      { aggressor: 'buy', sizeLots: 100 },
      { aggressor: 'buy', sizeLots: 200 },
    ]);
  });

  test('marks a silence of more than five seconds as a hole', async () => {
    const { counts, events } = await eventsOf([aBook(1000), aBook(6000), aBook(11_001)]);
    expect(events.map(({ kind }) => kind)).toEqual(['levels', 'levels', 'gap', 'levels']);
    // A tape has the hole begin where the silence had lasted as long as a book may be silent.
    expect(events[2]).toEqual({ kind: 'gap', atMs: 11_000, untilMs: 11_001 });
    expect(counts).toMatchObject({ gaps: 1, gapsMs: 5001 });
  });

  test('reads hours in order, one after the other', async () => {
    const { events, market } = await importedFlow(
      'standx',
      aFolder({
        'book_2026-01-06_09.csv.gz': [bookHeader, aBook(2000)],
        'book_2026-01-06_08.csv.gz': [bookHeader, aBook(1000)],
        'trades_2026-01-06_09.csv.gz': [tradesHeader, aTradeRow(2100, '93274')],
      }),
    );
    expect(events.map(({ atMs }) => atMs - BASE_MS)).toEqual([1000, 2000, 2100]);
    expect(market.symbol).toBe('BTC-USD');
  });

  test.each([
    ['a price with three decimals', [aBook(1000), aBook(1250, ['93274.001', '1'])], 3, '"93274.001"'],
    ['an exponent', [aBook(1000, ['9e4', '1'])], 2, '"9e4"'],
    ['a negative size', [aBook(1000, ['93274', '-1'])], 2, '"-1"'],
  ])('error: names the line of %s', async (_title, books, line, found) => {
    await expect(refusalOf(aStandxFolder(books))).rejects.toThrowError(
      new RegExp(`book_2026-01-06_08.csv.gz:${line}, got ${found}$`),
    );
  });

  test('error: names a row with a missing column and a header of another format', async () => {
    const row = aBook(1000);
    await expect(refusalOf(aStandxFolder([row.slice(0, -1)]))).rejects.toThrowError(
      /expected 82 columns at .*:2, got 81$/,
    );
    const folder = aFolder({ 'book_2026-01-06_08.csv.gz': ['time,bid,ask', row] });
    await expect(refusalOf(folder)).rejects.toThrowError(
      /expected the column exch_ms as number 1 at .*:1, got "time/,
    );
  });

  test.each(['93275', '93274'])('error: names a bid of %s behind one of 93274', async (second) => {
    const bids = [['93274', '1'] as const, [second, '1'] as const];
    await expect(refusalOf(aStandxFolder([aBookRow(1000, bids, [])]))).rejects.toThrowError(
      new RegExp(`expected levels from best to worst at .*:2, got "${second}" in column 5$`),
    );
  });
});

describe('AggressorRule', () => {
  const unlocked = { bidTicks: ticks(1000), askTicks: ticks(1020) };
  const locked = { bidTicks: ticks(1000), askTicks: ticks(1000) };
  const of = (price: number, best: typeof locked) => new AggressorRule().of(ticks(price), best);

  test.each([
    [1009, 'sell', 'quote'],
    [1014, 'sell', 'quote'],
    [1016, 'buy', 'quote'],
    [1029, 'buy', 'quote'],
  ])('judges %i by the middle of what bid and ask can have been', (price, side, rule) => {
    expect(of(price, unlocked)).toEqual({ side, rule });
  });

  test.each([
    [999, 'sell', 'quote'],
    [1010, 'buy', 'quote'],
    [1000, 'sell', 'tick'],
    [1009, 'sell', 'tick'],
  ])('judges %i against a locked book only outside of the cut step', (price, side, rule) => {
    expect(of(price, locked)).toEqual({ side, rule });
  });

  test('breaks ties by the last change of price', () => {
    const rule = new AggressorRule();
    const sides = [1005, 1006, 1006, 1004, 1004].map((price) => rule.of(ticks(price), locked).side);
    expect(sides).toEqual(['sell', 'buy', 'buy', 'sell', 'sell']);
  });
});
