import { describe, expect, test } from 'vitest';
import { type CrowdOrder, piecesOf, planLevel } from '../../../../src/exchange/flow/recorded-level.ts';

const ORDERS_PER_LEVEL_MAX = 12;

const rule = { stepLots: 1, minLots: 1 };
const ordersOf = (...lots: readonly number[]): CrowdOrder[] =>
  lots.map((remainingLots, at) => ({ orderSeq: BigInt(at + 1), remainingLots }));
const lotsOf = (orders: readonly CrowdOrder[]) => orders.map((order) => order.remainingLots);

describe('piecesOf', () => {
  test('splits an addition into halves of falling size', () => {
    expect(piecesOf(100, rule)).toEqual([50, 25, 13, 12]);
    expect(piecesOf(3, rule)).toEqual([2, 1]);
    expect(piecesOf(1, rule)).toEqual([1]);
    expect(piecesOf(0, rule)).toEqual([]);
  });

  test('keeps each piece on the lot step and above the minimum', () => {
    expect(piecesOf(100, { stepLots: 10, minLots: 30 })).toEqual([50, 50]);
    expect(piecesOf(59, { stepLots: 10, minLots: 30 })).toEqual([50]);
    expect(piecesOf(29, { stepLots: 10, minLots: 30 })).toEqual([]);
  });

  test('gives no more pieces than the limit', () => {
    expect(piecesOf(1_000_000, rule)).toHaveLength(4);
  });
});

describe('planLevel', () => {
  test('leaves a level alone that holds its target', () => {
    expect(planLevel(ordersOf(5, 3, 2), 10, rule)).toEqual({ cancels: [], adds: [], requeuedLots: 0 });
  });

  test('queues an increase behind what stands', () => {
    expect(planLevel(ordersOf(5), 9, rule)).toEqual({ cancels: [], adds: [2, 1, 1], requeuedLots: 0 });
  });

  test('cancels whole orders when they make up the reduction', () => {
    const change = planLevel(ordersOf(50, 25, 13, 12), 62, rule);
    expect(lotsOf(change.cancels)).toEqual([25, 13]);
    expect(change.adds).toEqual([]);
    expect(change.requeuedLots).toBe(0);
  });

  test('moves fewer lots than the smallest order to the back when no orders make up the reduction', () => {
    const change = planLevel(ordersOf(50, 25, 13, 12), 70, rule);
    expect(lotsOf(change.cancels)).toEqual([25, 12]);
    expect(change.adds.reduce((sum, lots) => sum + lots, 0)).toBe(7);
    expect(change.requeuedLots).toBe(7);
  });

  test('cancels all orders of a level that is gone', () => {
    const orders = ordersOf(7, 1, 2);
    const change = planLevel(orders, 0, rule);
    expect(change.cancels).toHaveLength(3);
    expect(change.adds).toEqual([]);
  });

  test('puts the smallest orders together when a level has too many', () => {
    const orders = ordersOf(...Array.from({ length: ORDERS_PER_LEVEL_MAX }, (_, at) => at + 1));
    const change = planLevel(orders, 100, rule);
    expect(lotsOf(change.cancels)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(orders.length - change.cancels.length + change.adds.length).toBeLessThanOrEqual(
      ORDERS_PER_LEVEL_MAX,
    );
    expect(change.requeuedLots).toBe(21);
  });
});
