/** @module The newest of each market. */
import { describe, expect, test } from 'vitest';
import {
  bestAskOf,
  bestBidOf,
  type Candle,
  lots,
  type MarketFact,
  MarketState,
  midOf,
  ticks,
  valuationTicksOf,
} from '../../../src/domain/index.ts';
import { aBbo, aBook, atMs, BTC, somePrices } from '../../support/trading-builders.ts';

const CANDLES_MAX = 1_000;

function recordAfter(...facts: readonly MarketFact[]) {
  const state = new MarketState();
  for (const fact of facts) state.fold(fact);
  const record = state.get(BTC);
  if (record === undefined) throw new Error('no record');
  return record;
}

const aCandle = (startAtMs: number, closeTicks: number): Candle => ({
  symbol: BTC,
  interval: '1m',
  startAtMs: atMs(startAtMs),
  openTicks: ticks(1),
  highTicks: ticks(2),
  lowTicks: ticks(1),
  closeTicks: ticks(closeTicks),
  volumeLots: lots(0),
  tradeCount: 0,
});

describe('MarketState', () => {
  test('takes the touch from the newer of book and best quotes', () => {
    const book = { type: 'BookUpdated', book: aBook({ receivedAtMs: atMs(10) }) } as const;
    const newer = { type: 'BboUpdated', bbo: aBbo(999_995, 1_000_005, { receivedAtMs: atMs(11) }) } as const;
    const older = { type: 'BboUpdated', bbo: aBbo(1, 2, { receivedAtMs: atMs(9) }) } as const;
    expect([bestBidOf(recordAfter(book, newer)), bestAskOf(recordAfter(book, newer))]).toEqual([
      999_995, 1_000_005,
    ]);
    expect(midOf(recordAfter(book, older))).toBe(1_000_000);
  });

  test('is as old as the newest of book and best quotes', () => {
    const book = { ...aBook({ receivedAtMs: atMs(10) }) };
    const told = { type: 'BookUpdated', book } as const;
    const state = new MarketState();
    const age = () => (state.get(BTC)?.dataAtMs ?? Number.NaN) - atMs(0);
    state.fold({ type: 'BboUpdated', bbo: aBbo(1, 2, { receivedAtMs: atMs(5) }) });
    expect(age()).toBe(5);
    state.fold(told);
    expect(age()).toBe(10);
    Object.assign(book, { receivedAtMs: atMs(12) });
    state.fold(told);
    expect(age()).toBe(12);
    state.fold({ type: 'BookUpdated', book: aBook({ receivedAtMs: atMs(0), isFresh: false }) });
    expect(age()).toBe(12);
    state.fold(told);
    expect(age()).toBe(12);
    // A clock that was set back: what came last counts.
    state.fold({ type: 'BboUpdated', bbo: aBbo(1, 2, { receivedAtMs: atMs(3) }) });
    expect(age()).toBe(3);
    state.fold(told);
    expect(age()).toBe(12);
  });

  test('has no middle while a side is empty', () => {
    expect(midOf(recordAfter({ type: 'BookUpdated', book: aBook({ asks: [] }) }))).toBeUndefined();
  });

  test('stays stale until fresh data comes', () => {
    const stale = { type: 'MarketStale', symbol: BTC, reason: 'gap' } as const;
    const distrusted = { type: 'BookUpdated', book: aBook({ isFresh: false }) } as const;
    expect(recordAfter(stale, distrusted).staleReason).toBe('gap');
    expect(recordAfter(stale, { type: 'BookUpdated', book: aBook() }).staleReason).toBeUndefined();
  });

  test('values a position at the mark, else the middle, else the last trade', () => {
    const book = { type: 'BookUpdated', book: aBook() } as const;
    expect(valuationTicksOf(recordAfter(book, { type: 'PricesUpdated', prices: somePrices(7) }))).toBe(7);
    expect(valuationTicksOf(recordAfter(book))).toBe(1_000_000);
  });

  test('keeps candles in order, the latest state of each, and a bounded number of them', () => {
    const state = new MarketState();
    const fold = (candle: Candle) => state.fold({ type: 'CandleUpdated', candle, isHistory: true });
    fold(aCandle(60_000, 5));
    fold(aCandle(0, 4));
    fold(aCandle(60_000, 6));
    expect(state.candles(BTC, '1m').map((candle) => candle.closeTicks)).toEqual([4, 6]);
    for (let i = 2; i < CANDLES_MAX + 10; i++) fold(aCandle(60_000 * i, 7));
    expect(state.candles(BTC, '1m')).toHaveLength(CANDLES_MAX);
    expect(state.candles(BTC, '5m')).toHaveLength(200);
  });
});
