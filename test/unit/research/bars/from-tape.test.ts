/** @module Bars and settlements out of the rows of a tape. */
import { describe, expect, test } from 'vitest';
import { barsOfTape } from '../../../../src/research/bars/from-tape.ts';
import type { BarColumns } from '../../../../src/research/bars/index.ts';
import type { EventKind } from '../../../../src/tape/format/events.ts';
import { EVENT, type EventRow, FLAG_END } from '../../../../src/tape/format/index.ts';
import { BAR_MS, BAR_US, type BarRow, START_US } from '../../../support/bars.ts';
import { memoryTape } from '../../../support/memory-tape.ts';

type Part = Partial<EventRow> & { readonly kind: EventKind; readonly atUs: number };

const MARKETS = ['BTC', 'ETH'].map((symbol) => ({
  ...{ symbol, priceDecimals: 1, sizeDecimals: 3, tickStep: 1, lotStep: 1 },
  depth: 'none' as const,
}));

function tapeOf(parts: readonly Part[]) {
  return memoryTape(
    MARKETS,
    parts.map(({ atUs, ...rest }) => {
      const exchangeUs = START_US + atUs;
      return { flags: 0, market: 0, exchangeUs, receivedUs: exchangeUs, price: 0, size: 0, id: 0, ...rest };
    }),
  );
}

/** A candle that began `startUs` after the start, told at `atUs`. */
function candle(
  row: BarRow,
  startUs: number,
  changes: { atUs?: number; lengthMs?: number; market?: number } = {},
): Part[] {
  const { lengthMs = BAR_MS, market = 0, atUs = startUs + lengthMs * 1_000 } = changes;
  const [open, high, low, close] = row;
  return [
    { kind: EVENT.candleOpen, atUs, market, price: open, id: lengthMs },
    { kind: EVENT.candleHigh, atUs, market, price: high, id: (START_US + startUs) / 1_000 },
    { kind: EVENT.candleLow, atUs, market, price: low },
    { kind: EVENT.candleClose, atUs, market, price: close, size: 5, id: 1, flags: FLAG_END },
  ];
}

const trade = (atUs: number, price: number, size = 1): Part => ({
  ...{ kind: EVENT.buyTrade, atUs, price, size, flags: FLAG_END },
});

const rowsOf = ({ rows, openUs, open, high, low, close, volume }: BarColumns) =>
  Array.from({ length: rows }, (_none, at) => [
    ((openUs[at] ?? 0) - START_US) / BAR_US,
    ...[open[at], high[at], low[at], close[at], volume[at]],
  ]);

const read = (parts: readonly Part[], barMs?: number, market = 0) =>
  barsOfTape(tapeOf(parts), { market, barMs, fundingIntervalMs: 3_600_000 });

describe('candles', () => {
  test('are the bars of their own market and length', () => {
    const found = read([
      ...candle([10, 12, 9, 11], 0),
      ...candle([500, 500, 500, 500], 0, { market: 1 }),
      ...candle([11, 13, 11, 12], BAR_US),
      ...candle([10, 13, 9, 12], 0, { lengthMs: 2 * BAR_MS }),
    ]);
    expect(found?.from).toBe('candles');
    expect(rowsOf(found?.bars as BarColumns)).toEqual([
      [0, 10, 12, 9, 11, 5],
      [1, 11, 13, 11, 12, 5],
    ]);
  });

  test('that are told before they are over count as they were told last', () => {
    const found = read([
      ...candle([10, 10, 10, 10], 0, { atUs: 1_000_000 }),
      ...candle([10, 15, 10, 14], 0, { atUs: BAR_US }),
      ...candle([14, 14, 14, 14], BAR_US, { atUs: BAR_US + 1_000_000 }),
    ]);
    expect(rowsOf(found?.bars as BarColumns)).toEqual([[0, 10, 15, 10, 14, 5]]);
  });

  test('make longer bars, of those that are there whole', () => {
    const minutes = [1, 2, 3, 5, 6, 7, 8].flatMap((minute) =>
      candle([minute, minute + 2, minute, minute + 1], minute * BAR_US),
    );
    // Of the first two minutes one is missing, of the next but one too.
    expect(rowsOf(read(minutes, 2 * BAR_MS)?.bars as BarColumns)).toEqual([
      [2, 2, 5, 2, 4, 10],
      [6, 6, 9, 6, 8, 10],
    ]);
  });
});

describe('trades', () => {
  const trades = [
    trade(30_000_000, 99),
    trade(BAR_US, 10, 2),
    trade(BAR_US + 1, 14),
    trade(2 * BAR_US - 1, 12),
    trade(4 * BAR_US + 5, 20),
    trade(5 * BAR_US, 21),
    trade(5 * BAR_US + 1, 22),
  ];

  test('make bars where no candles do; a minute without any stands still', () => {
    const found = read(trades, BAR_MS);
    expect(found?.from).toBe('trades');
    // The first and the last minute were not seen whole.
    expect(rowsOf(found?.bars as BarColumns)).toEqual([
      [1, 10, 14, 10, 12, 4],
      [2, 12, 12, 12, 12, 0],
      [3, 12, 12, 12, 12, 0],
      [4, 20, 20, 20, 20, 1],
    ]);
  });

  test('make no bar of a time that was not recorded', () => {
    const hole: Part = {
      kind: EVENT.hole,
      atUs: 3 * BAR_US + 1,
      id: START_US + 4 * BAR_US + 1,
      flags: FLAG_END,
    };
    const found = read([...trades.slice(0, 4), hole, ...trades.slice(4)], BAR_MS);
    expect(rowsOf(found?.bars as BarColumns).map(([at]) => at)).toEqual([1, 2]);
  });

  test('need a length', () => {
    expect(read(trades)).toBeUndefined();
  });
});

describe('funding', () => {
  const settled = (atUs: number, size: number, price: number): Part => ({
    ...{ kind: EVENT.fundingSettled, atUs, size, price, flags: FLAG_END },
  });
  const rate = (atUs: number, size: number, nextUs: number): Part => ({
    ...{
      kind: EVENT.fundingRate,
      atUs,
      size,
      flags: FLAG_END,
      id: nextUs === 0 ? 0 : (START_US + nextUs) / 1_000,
    },
  });
  const HOUR_US = 3_600_000_000;

  test('is what the tape settled, not the rates beside it', () => {
    const found = read([
      rate(0, 7, HOUR_US),
      settled(5, -3, 1_000),
      ...candle([1, 1, 1, 1], 0),
      settled(2 * HOUR_US, 4, 0),
    ]);
    const { atUs, ratePpb, priceTicks } = found?.settlements ?? {};
    expect([atUs, ratePpb, priceTicks].map((column) => [...(column ?? [])])).toEqual([
      [START_US + 5, START_US + 2 * HOUR_US],
      [-3, 4],
      [1_000, 0],
    ]);
  });

  test('is the rate in force at each boundary where nothing was settled', () => {
    const found = read([
      rate(0, 7, HOUR_US),
      rate(HOUR_US - 1, 8, HOUR_US),
      rate(HOUR_US + 1, 9, 0),
      ...candle([1, 1, 1, 1], 3 * HOUR_US),
    ]);
    const { atUs, ratePpb } = found?.settlements ?? {};
    expect([...(atUs ?? [])].map((us) => (us - START_US) / HOUR_US)).toEqual([1, 2, 3]);
    expect([...(ratePpb ?? [])]).toEqual([8, 9, 9]);
  });
});
