import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { diffQuotes } from '../../src/bot/execution/index.ts';
import type { DesiredQuotes } from '../../src/bot/execution/quote-reconciler.ts';
import { lots, type QuoteLevel, type Side, ticks, type WorkingOrder } from '../../src/domain/index.ts';
import { aWorkingOrder, BTC } from '../support/trading-builders.ts';

const levelArb = fc
  .record({ price: fc.integer({ min: 95, max: 105 }), size: fc.integer({ min: 1, max: 4 }) })
  .map(({ price, size }): QuoteLevel => ({ priceTicks: ticks(price), sizeLots: lots(size) }));
const levelsArb = fc.array(levelArb, { maxLength: 8 });
const desiredArb = fc
  .record({ bids: levelsArb, asks: levelsArb })
  .map((sides): DesiredQuotes => ({ symbol: BTC, ...sides }));
const workingArb = fc
  .array(fc.tuple(levelArb, fc.constantFrom<Side>('buy', 'sell')), { maxLength: 12 })
  .map((levels) =>
    levels.map(([level, side], at) =>
      aWorkingOrder(String(at), { side, priceTicks: level.priceTicks, sizeLots: level.sizeLots }),
    ),
  );

const keyOf = (side: Side, level: QuoteLevel) => `${side} ${level.priceTicks} ${level.sizeLots}`;
const wantedKeys = ({ bids, asks }: DesiredQuotes) =>
  [...bids.map((level) => keyOf('buy', level)), ...asks.map((level) => keyOf('sell', level))].sort();
const keysOf = (orders: readonly { side: Side; priceTicks: number; sizeLots: number }[]) =>
  orders.map((order) => keyOf(order.side, order as QuoteLevel & { side: Side })).sort();

function applied(working: readonly WorkingOrder[], desired: DesiredQuotes) {
  const diff = diffQuotes(desired, { working, inFlight: [], isCancelPending: () => false });
  const canceled = new Set(diff.cancels.map((ref) => ref.orderId));
  const kept = working.filter((order) => !canceled.has(order.orderId));
  return { diff, result: [...kept, ...diff.places] };
}

describe('the difference of quotes', () => {
  test('applied to the working orders it yields what is wanted', () => {
    fc.assert(
      fc.property(desiredArb, workingArb, (desired, working) => {
        expect(keysOf(applied(working, desired).result)).toEqual(wantedKeys(desired));
      }),
    );
  });

  test('no smaller change exists: nothing is canceled that is placed again', () => {
    fc.assert(
      fc.property(desiredArb, workingArb, (desired, working) => {
        const { diff } = applied(working, desired);
        const canceled = new Set(diff.cancels.map((ref) => ref.orderId));
        const canceledKeys = keysOf(working.filter((order) => canceled.has(order.orderId)));
        const placedKeys = new Set(keysOf(diff.places));
        expect(canceledKeys.filter((key) => placedKeys.has(key))).toEqual([]);
      }),
    );
  });

  test('applied twice it changes nothing the second time', () => {
    fc.assert(
      fc.property(desiredArb, workingArb, (desired, working) => {
        const { result } = applied(working, desired);
        const again = result.map((order, at) =>
          aWorkingOrder(String(at), {
            side: order.side,
            priceTicks: order.priceTicks,
            sizeLots: order.sizeLots,
          }),
        );
        const diff = diffQuotes(desired, { working: again, inFlight: [], isCancelPending: () => false });
        expect(diff).toEqual({ cancels: [], places: [], unwantedInFlight: [] });
      }),
    );
  });

  test('with a tolerance it never needs more changes, and every kept order is within it', () => {
    const toleranceArb = fc.record({
      priceTicks: fc.integer({ min: 0, max: 3 }),
      sizeLots: fc.integer({ min: 0, max: 2 }),
    });
    fc.assert(
      fc.property(desiredArb, workingArb, toleranceArb, (desired, working, tolerance) => {
        const present = { working, inFlight: [], isCancelPending: () => false };
        const exact = diffQuotes(desired, present);
        const near = diffQuotes(desired, present, tolerance);
        expect(near.places.length).toBeLessThanOrEqual(exact.places.length);
        expect(near.cancels.length).toBeLessThanOrEqual(exact.cancels.length);
        const canceled = new Set(near.cancels.map((ref) => ref.orderId));
        for (const order of working.filter((one) => !canceled.has(one.orderId))) {
          const levels = order.side === 'buy' ? desired.bids : desired.asks;
          const isNear = (level: QuoteLevel) =>
            Math.abs(level.priceTicks - order.priceTicks) <= tolerance.priceTicks &&
            Math.abs(level.sizeLots - order.remainingLots) <= tolerance.sizeLots;
          expect(levels.some(isNear)).toBe(true);
        }
      }),
    );
  });
});
