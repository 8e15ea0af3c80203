/** @module Two cursors over one tape: what the venue reads and when, and what the bot is told and when. */
import { describe, expect, test } from 'vitest';
import { seededRandom, VirtualClock } from '../../../../src/core/index.ts';
import type { Fact, Market } from '../../../../src/domain/index.ts';
import { Replay } from '../../../../src/research/backtest/replay/replay.ts';
import type { FeedLatency, ReplaySource } from '../../../../src/research/backtest/types.ts';
import type { EventKind } from '../../../../src/tape/format/events.ts';
import { EVENT, type EventRow, FLAG_END } from '../../../../src/tape/format/index.ts';
import { memoryTape } from '../../../support/memory-tape.ts';
import { rowByRow } from '../../../support/row-by-row.ts';
import { aMarket } from '../../../support/trading-builders.ts';

const END = FLAG_END;

function row(kind: EventKind, changes: Partial<EventRow> = {}): EventRow {
  return {
    ...{ kind, flags: END, market: 0, exchangeUs: 1_000, receivedUs: 1_000, price: 0, size: 0, id: 0 },
    ...changes,
  };
}

function tapeOf(rows: readonly EventRow[], markets: readonly Market[] = [aMarket()]): ReplaySource {
  const tape = memoryTape(
    markets.map(({ symbol, priceDecimals, sizeDecimals, tickStep, lotStep }) => ({
      ...{ symbol, priceDecimals, sizeDecimals, tickStep, lotStep },
      depth: 'levels' as const,
    })),
    rows,
  );
  const { name, hash, fromUs, toUs } = tape;
  return { name, hash, rows: tape.rows, fromUs, toUs, markets, batches: () => tape.batches() };
}

interface Seen {
  readonly clock: VirtualClock;
  readonly replay: Replay;
  readonly venueRows: readonly (readonly [us: number, kind: number, price: number])[];
  readonly facts: readonly Fact[];
}

function replayOf(
  rows: readonly EventRow[],
  options: { readonly feed?: FeedLatency; readonly fromUs?: number; readonly toUs?: number } = {},
): Seen {
  const venueRows: [number, number, number][] = [];
  const facts: Fact[] = [];
  const tape = tapeOf(rows);
  const venue = rowByRow({
    dueUs: Number.POSITIVE_INFINITY,
    leadUs: 0,
    onRow: (kind: number, _flags: number, _market: number, us: number, price: number) =>
      void venueRows.push([us, kind, price]),
    passRows: () => false,
  });
  const clock = new VirtualClock(0);
  const replay = new Replay({
    clock,
    tape,
    feed: options.feed ?? { kind: 'constant', us: 500 },
    random: seededRandom(1),
    toUs: options.toUs ?? tape.toUs,
    venue,
    // A book is the same object each time: what it was is kept.
    sink: (fact) => void facts.push(structuredClone(plain(fact))),
  });
  replay.skipTo(options.fromUs ?? tape.fromUs);
  return { clock, replay, venueRows, facts };
}

/** A book's arrays are getters: read them out. */
function plain(fact: Fact): Fact {
  if (fact.type !== 'BookUpdated') return fact;
  const { symbol, bidCount, askCount, bidTicks, bidLots, askTicks, askLots } = fact.book;
  const { receivedAtMs, isFresh } = fact.book;
  const book = { symbol, bidCount, askCount, bidTicks, bidLots, askTicks, askLots, receivedAtMs, isFresh };
  return { type: 'BookUpdated', book };
}

/** Lets everything happen in order of time. */
function runThrough({ clock, replay }: Seen): void {
  for (;;) {
    if (replay.venueAtUs <= replay.botAtUs && replay.venueAtUs !== Number.POSITIVE_INFINITY)
      replay.feedVenue(replay.botAtUs);
    else if (replay.botAtUs !== Number.POSITIVE_INFINITY) {
      clock.moveToUs(replay.botAtUs);
      replay.feedBot();
    } else return;
  }
}

const WHOLE_BOOK: readonly EventRow[] = [
  row(EVENT.bookReset, { flags: 0 }),
  row(EVENT.bidLevel, { flags: 0, price: 100, size: 7 }),
  row(EVENT.bidLevel, { flags: 0, price: 99, size: 8 }),
  row(EVENT.askLevel, { price: 101, size: 9 }),
];

describe('Replay', () => {
  test('gives the venue a row when it happened and the bot when it was delivered', () => {
    const seen = replayOf([
      ...WHOLE_BOOK,
      row(EVENT.buyTrade, { exchangeUs: 1_200, price: 101, size: 2, id: 5 }),
    ]);
    expect([seen.replay.venueAtUs, seen.replay.botAtUs]).toEqual([1_000, 1_500]);
    seen.replay.feedVenue(1_000);
    expect(seen.venueRows).toHaveLength(4);
    seen.replay.feedVenue(1_200);
    expect(seen.venueRows).toHaveLength(5);
    expect(seen.facts).toEqual([]);
    seen.clock.moveTo(1);
    seen.replay.feedBot();
    expect(seen.facts.map(({ type }) => type)).toEqual(['BookUpdated']);
    expect(seen.replay.botAtUs).toBe(1_700);
    seen.clock.moveTo(2);
    seen.replay.feedBot();
    expect(seen.facts[1]).toEqual({
      type: 'TradePrinted',
      trade: { id: '5', symbol: 'BTC-PERP', aggressor: 'buy', priceTicks: 101, sizeLots: 2, atMs: 1 },
    });
    expect(seen.replay.rowCount).toBe(5);
  });

  test('tells a book once a frame, best levels first, and nothing before a whole one', () => {
    const seen = replayOf([
      row(EVENT.bidLevel, { price: 90, size: 1 }),
      ...WHOLE_BOOK,
      row(EVENT.bidLevel, { exchangeUs: 1_100, price: 100, size: 0 }),
    ]);
    runThrough(seen);
    const books = seen.facts.flatMap((fact) => (fact.type === 'BookUpdated' ? [fact.book] : []));
    expect(books.map(({ bidCount, askCount }) => [bidCount, askCount])).toEqual([
      [2, 1],
      [1, 1],
    ]);
    expect([...(books[0]?.bidTicks.slice(0, 2) ?? [])]).toEqual([100, 99]);
    expect(books[1]?.bidTicks[0]).toBe(99);
  });

  test('makes a market stale in a hole, until the next whole book', () => {
    const seen = replayOf([
      ...WHOLE_BOOK,
      row(EVENT.hole, { exchangeUs: 2_000, id: 26_002_000 }),
      row(EVENT.bidLevel, { exchangeUs: 26_002_000, price: 98, size: 1 }),
      ...WHOLE_BOOK.map((one) => ({ ...one, exchangeUs: 26_003_000 })),
    ]);
    runThrough(seen);
    expect(seen.facts.map(({ type }) => type)).toEqual(['BookUpdated', 'MarketStale', 'BookUpdated']);
    expect(seen.facts[1]).toMatchObject({ reason: 'nothing was recorded for 26 s' });
  });

  test('holds a crossed book to be stale until it is none', () => {
    const seen = replayOf([
      ...WHOLE_BOOK,
      row(EVENT.bidLevel, { exchangeUs: 1_100, price: 101, size: 1 }),
      row(EVENT.bidLevel, { exchangeUs: 1_200, price: 98, size: 1 }),
      row(EVENT.bidLevel, { exchangeUs: 1_300, price: 101, size: 0 }),
    ]);
    runThrough(seen);
    expect(seen.facts.map(({ type }) => type)).toEqual(['BookUpdated', 'MarketStale', 'BookUpdated']);
  });

  test('starts in the middle with the book that stood there, and ends before the end', () => {
    const seen = replayOf(
      [
        ...WHOLE_BOOK,
        row(EVENT.askLevel, { exchangeUs: 5_000, price: 101, size: 3 }),
        row(EVENT.askLevel, { exchangeUs: 6_000, price: 101, size: 4 }),
        row(EVENT.askLevel, { exchangeUs: 7_000, price: 101, size: 5 }),
      ],
      { fromUs: 5_500, toUs: 6_500 },
    );
    expect(seen.facts).toHaveLength(1);
    runThrough(seen);
    const sizes = seen.facts.map((fact) => (fact.type === 'BookUpdated' ? fact.book.askLots[0] : undefined));
    expect(sizes).toEqual([3, 4]);
    expect(seen.replay.rowCount).toBe(6);
  });

  test('stops before a row when the venue has something to do first', () => {
    const venue = rowByRow({
      dueUs: 1_050,
      leadUs: 0,
      onRow: () => undefined,
      passRows: () => false,
    });
    const tape = tapeOf([...WHOLE_BOOK, row(EVENT.bidLevel, { exchangeUs: 1_100, price: 98, size: 1 })]);
    const replay = new Replay({
      ...{ tape, venue, feed: { kind: 'constant', us: 500 }, random: seededRandom(1), toUs: tape.toUs },
      clock: new VirtualClock(0),
      sink: () => undefined,
    });
    replay.feedVenue(2_000);
    expect(replay.venueAtUs).toBe(1_100);
  });

  test('tells best quotes, prices, bars and statuses as a stream would', () => {
    const frame = { exchangeUs: 60_000_000, receivedUs: 0 };
    const seen = replayOf([
      row(EVENT.bestBid, { flags: 0, price: 100, size: 3 }),
      row(EVENT.bestAsk, { price: 102, size: 0 }),
      row(EVENT.mark, { flags: 0, price: 101 }),
      row(EVENT.fundingRate, { size: 12_500, id: 3_600_000 }),
      row(EVENT.marketStatus, { size: 1 }),
      row(EVENT.candleOpen, { ...frame, flags: 0, price: 100, id: 60_000 }),
      row(EVENT.candleHigh, { ...frame, flags: 0, price: 103, id: 0 }),
      row(EVENT.candleLow, { ...frame, flags: 0, price: 99 }),
      row(EVENT.candleClose, { ...frame, price: 101, size: 55, id: 9 }),
      row(EVENT.fundingSettled, { ...frame, size: 100_000, price: 101 }),
    ]);
    runThrough(seen);
    expect(seen.facts).toMatchObject([
      { type: 'BboUpdated', bbo: { bidTicks: 100, bidLots: 3, askTicks: undefined } },
      { type: 'PricesUpdated', prices: { markTicks: 101, fundingRatePpm: 13, nextFundingAtMs: 3_600_000 } },
      { type: 'MarketChanged', market: { status: 'Paused' } },
      {
        type: 'CandleUpdated',
        candle: {
          interval: '1m',
          startAtMs: 0,
          openTicks: 100,
          highTicks: 103,
          lowTicks: 99,
          closeTicks: 101,
        },
      },
      { type: 'FundingSettled', funding: { ratePpm: 100, atMs: 60_000 } },
    ]);
  });

  test('folds a recording order by order into levels', () => {
    const seen = replayOf([
      row(EVENT.bookReset, { flags: 0 }),
      row(EVENT.bidOrder, { flags: 0, price: 100, size: 5, id: 1 }),
      row(EVENT.bidOrder, { flags: 0, price: 100, size: 2, id: 2 }),
      row(EVENT.askOrder, { price: 101, size: 4, id: 3 }),
      row(EVENT.orderReduced, { price: 100, size: 1, id: 1 }),
      row(EVENT.orderExecuted, { price: 100, size: 2, id: 2 }),
      row(EVENT.orderDeleted, { id: 1 }),
      row(EVENT.orderDeleted, { id: 77 }),
    ]);
    runThrough(seen);
    const sizes = seen.facts.map((fact) => (fact.type === 'BookUpdated' ? fact.book.bidLots[0] : undefined));
    expect(sizes.slice(0, 3)).toEqual([7, 6, 4]);
    expect(seen.facts[3]).toMatchObject({ book: { bidCount: 0, askCount: 1 } });
    expect(seen.facts).toHaveLength(4);
  });
});
