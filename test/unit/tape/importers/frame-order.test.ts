/** @module Frames as they were received, as rows in order of exchange time: window, instants, silences, latecomers. */
import { describe, expect, test } from 'vitest';
import { EVENT, type EventRow } from '../../../../src/tape/format/index.ts';
import { type Frame, RANK } from '../../../../src/tape/importers/frame.ts';
import { FrameOrder } from '../../../../src/tape/importers/frame-order.ts';
import { ImportCounts } from '../../../../src/tape/importers/import-counts.ts';
import { QualityWatch } from '../../../../src/tape/importers/quality-watch.ts';

const S = 1_000_000;

function anOrder(silenceUs = 5 * S) {
  const rows: EventRow[] = [];
  const counts = new ImportCounts();
  const writer = { write: (row: EventRow) => void rows.push(row), feedLine: () => 0 };
  const quality = new QualityWatch(counts);
  const order = new FrameOrder({ writer, counts, quality, silenceUs });
  const add = (exchangeUs: number, rank: Frame['rank'], ...ids: number[]) =>
    order.add({
      ...{ exchangeUs, receivedUs: exchangeUs + 7, rank, market: 0 },
      rows: ids.map((id) => [EVENT.buyTrade, 1, 1, id] as const),
    });
  return { order, rows, counts, add, ids: () => rows.map(({ id }) => id) };
}

describe('FrameOrder', () => {
  test('puts streams that run ahead of one another into order, and marks the last row of each frame', () => {
    const { order, rows, add } = anOrder();
    add(3 * S, RANK.trade, 3);
    add(1 * S, RANK.trade, 1, 2);
    add(4 * S, RANK.trade, 4);
    expect(rows).toEqual([]);
    order.end();
    expect(rows.map(({ exchangeUs, receivedUs, id, flags }) => [exchangeUs, receivedUs, id, flags])).toEqual([
      [1 * S, 1 * S + 7, 1, 0],
      [1 * S, 1 * S + 7, 2, 1],
      [3 * S, 3 * S + 7, 3, 1],
      [4 * S, 4 * S + 7, 4, 1],
    ]);
  });

  test('gives an instant its order: prices, trades, levels, best quotes; the same kind as it came', () => {
    const { order, add, ids } = anOrder();
    add(S, RANK.best, 5);
    add(S, RANK.levels, 4);
    add(S, RANK.trade, 2);
    add(S, RANK.trade, 3);
    add(S, RANK.price, 1);
    order.end();
    expect(ids()).toEqual([1, 2, 3, 4, 5]);
  });

  test('moves what comes later than the window to the time of the row before, and counts it', () => {
    const { order, rows, counts, add } = anOrder();
    add(S, RANK.trade, 1);
    add(60 * S, RANK.trade, 2);
    add(100 * S, RANK.trade, 3);
    add(10 * S, RANK.trade, 4);
    order.end();
    expect(rows.map(({ id, exchangeUs }) => [id, exchangeUs])).toEqual([
      [1, S],
      [2, 60 * S],
      [4, 60 * S],
      [3, 100 * S],
    ]);
    expect(counts.tally()).toEqual({ lateMoved: 1 });
  });

  test('marks a silence of the book from the moment it was long enough, market by market', () => {
    const { order, rows, counts, add } = anOrder();
    expect(order.sawBook(0, S, S + 7)).toBe(false);
    add(S, RANK.levels, 1);
    expect(order.sawBook(1, 2 * S, 2 * S)).toBe(false);
    add(4 * S, RANK.trade, 2);
    expect(order.sawBook(0, 9 * S, 9 * S + 7)).toBe(true);
    add(9 * S, RANK.levels, 3);
    order.end();
    const hole = rows.find(({ kind }) => kind === EVENT.hole);
    expect(hole).toMatchObject({ exchangeUs: 6 * S, receivedUs: 6 * S + 7, id: 9 * S, market: 0, flags: 1 });
    expect(counts.tally()).toEqual({ gaps: 1, gapsMs: 8_000 });
  });

  test('knows no hole where silence says nothing', () => {
    const { order } = anOrder(Number.POSITIVE_INFINITY);
    order.sawBook(0, S, S);
    expect(order.sawBook(0, 1_000 * S, S)).toBe(false);
  });
});
