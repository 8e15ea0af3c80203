import { describe, expect, test } from 'vitest';
import type { UnixMs } from '../../../../src/core/index.ts';
import type { Book, MarketFact } from '../../../../src/domain/index.ts';
import type { EventKind } from '../../../../src/tape/format/events.ts';
import { EVENT, type EventRow, FLAG_END } from '../../../../src/tape/format/index.ts';
import { createFactColumns } from '../../../../src/tape/recorder/index.ts';
import { tapeMarket } from '../format/tapes.ts';

const NAMES = new Map<EventKind, string>(Object.entries(EVENT).map(([name, kind]) => [kind, name]));

/** The rows that `facts` make, each fact a millisecond after the one before, in words: `kind price size id`; `.` ends a frame. */
function rowsOf(facts: readonly unknown[], startMs = 1_000): string[] {
  const rows: EventRow[] = [];
  const columns = createFactColumns({ write: (row) => void rows.push({ ...row }) }, [
    tapeMarket('ETH-USD'),
    tapeMarket('BTC-USD'),
  ]);
  for (const [index, fact] of facts.entries()) columns.take(fact as MarketFact, (startMs + index) as UnixMs);
  expect(rows.every(({ market }) => market === 1)).toBe(true);
  return rows.map(
    ({ kind, price, size, id, flags }) =>
      `${NAMES.get(kind)} ${price} ${size} ${id}${flags === FLAG_END ? ' .' : ''}`,
  );
}

const symbol = 'BTC-USD';

/** A book fact of levels `[price, size]`, best first. */
function book(
  bids: readonly (readonly [number, number])[],
  asks: readonly (readonly [number, number])[],
): unknown {
  const column = (levels: readonly (readonly [number, number])[], at: 0 | 1): Float64Array =>
    Float64Array.from([...levels.map((level) => level[at]), 777]);
  const one: Partial<Book> & { symbol: unknown } = {
    symbol: symbol as Book['symbol'],
    bidCount: bids.length,
    askCount: asks.length,
    bidTicks: column(bids, 0),
    bidLots: column(bids, 1),
    askTicks: column(asks, 0),
    askLots: column(asks, 1),
    isFresh: true,
  };
  return { type: 'BookUpdated', book: one };
}

describe('createFactColumns', () => {
  test('writes the first book whole and then what differs', () => {
    const facts = [
      book(
        [
          [100, 5],
          [99, 7],
        ],
        [[101, 3]],
      ),
      book(
        [
          [100, 4],
          [98, 1],
        ],
        [
          [101, 3],
          [102, 9],
        ],
      ),
    ];
    expect(rowsOf(facts)).toEqual([
      'bookReset 0 0 0',
      'bidLevel 100 5 0',
      'bidLevel 99 7 0',
      'askLevel 101 3 0 .',
      'bidLevel 99 0 0',
      'bidLevel 100 4 0',
      'bidLevel 98 1 0',
      'askLevel 102 9 0 .',
    ]);
  });

  test('says a book that is the same once more by its best level, so that its age is known', () => {
    const facts = [
      book([[100, 5]], []),
      book([[100, 5]], []),
      book([], []),
      book([], [[101, 2]]),
      book([], [[101, 2]]),
    ];
    expect(rowsOf(facts).slice(2)).toEqual([
      'bidLevel 100 5 0 .',
      'bidLevel 100 0 0 .',
      'askLevel 101 2 0 .',
      'askLevel 101 2 0 .',
    ]);
  });

  test('marks a doubt as a hole and writes the next book whole', () => {
    const facts = [
      book([[100, 5]], []),
      { type: 'MarketStale', symbol, reason: 'the socket closed' },
      book([[100, 5]], []),
    ];
    expect(rowsOf(facts).slice(2)).toEqual(['hole 0 0 1001000 .', 'bookReset 0 0 0', 'bidLevel 100 5 0 .']);
  });

  test('writes trades by the side of their taker, with their number where they have one', () => {
    const trade = { symbol, priceTicks: 100, sizeLots: 3, atMs: 5 };
    const facts = [
      { type: 'TradePrinted', trade: { ...trade, id: '41', aggressor: 'buy' } },
      { type: 'TradePrinted', trade: { ...trade, id: 'x:9', aggressor: 'sell' } },
    ];
    expect(rowsOf(facts)).toEqual(['buyTrade 100 3 41 .', 'sellTrade 100 3 2 .']);
  });

  test('writes published prices that changed, and the mark each time', () => {
    const prices = {
      symbol,
      markTicks: 100,
      indexTicks: 99,
      fundingRatePpm: -13,
      nextFundingAtMs: 3_600_000,
    };
    const facts = [prices, prices, { ...prices, fundingRatePpm: 13 }, { symbol }].map((one) => ({
      type: 'PricesUpdated',
      prices: one,
    }));
    expect(rowsOf(facts)).toEqual([
      'index 99 0 0',
      'fundingRate 0 -13000 3600000',
      'mark 100 0 0 .',
      'mark 100 0 0 .',
      'fundingRate 0 13000 3600000',
      'mark 100 0 0 .',
    ]);
  });

  test('writes best quotes, bars, states and settlements; history is left out', () => {
    const candle = {
      symbol,
      interval: '15m',
      startAtMs: 900_000,
      openTicks: 1,
      highTicks: 4,
      lowTicks: 1,
      closeTicks: 3,
      volumeLots: 50,
      tradeCount: 7,
    };
    const facts = [
      { type: 'MarketChanged', market: { symbol, status: 'Active' } },
      { type: 'MarketChanged', market: { symbol, status: 'Active' } },
      { type: 'MarketChanged', market: { symbol, status: 'CancelOnly' } },
      { type: 'BboUpdated', bbo: { symbol, bidTicks: 99, bidLots: 2 } },
      { type: 'CandleUpdated', candle, isHistory: true },
      { type: 'CandleUpdated', candle, isHistory: false },
      { type: 'FundingSettled', funding: { symbol, ratePpm: 12, atMs: 999 } },
      { type: 'FundingSettled', funding: { symbol, ratePpm: 12, atMs: 1_004 } },
      { type: 'FundingSettled', funding: { symbol, ratePpm: 12, atMs: 1_004 } },
      { type: 'FundingSettled', funding: { symbol, ratePpm: 13, indexTicks: 101, atMs: 1_005 } },
    ];
    expect(rowsOf(facts)).toEqual([
      'marketStatus 0 0 0 .',
      'marketStatus 0 2 0 .',
      'bestBid 99 2 0',
      'bestAsk 0 0 0 .',
      'candleOpen 1 0 900000',
      'candleHigh 4 0 900000',
      'candleLow 1 0 0',
      'candleClose 3 50 7 .',
      'fundingSettled 0 12000 0 .',
      'fundingSettled 101 13000 0 .',
    ]);
  });

  test('leaves out markets that the tape does not hold', () => {
    expect(rowsOf([{ type: 'MarketStale', symbol: 'SOL-USD', reason: '' }])).toEqual([]);
  });

  test('never lets the time of the exchange fall when the clock of the machine does', () => {
    const rows: EventRow[] = [];
    const columns = createFactColumns({ write: (row) => void rows.push({ ...row }) }, [tapeMarket(symbol)]);
    for (const atMs of [2_000, 1_500.5]) columns.take(book([[100, atMs]], []) as MarketFact, atMs as UnixMs);
    expect(rows.map(({ exchangeUs, receivedUs }) => [exchangeUs, receivedUs]).slice(-2)).toEqual([
      [2_000_000, 2_000_000],
      [2_000_000, 1_500_500],
    ]);
  });
});
