/**
 * @module
 * The differ works with marks in place of lists: it says the same as one that makes a list at each step, by its very words.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { diffQuotes } from '../../src/bot/execution/index.ts';
import type {
  DesiredQuotes,
  QuoteDiff,
  QuotedOrders,
  QuoteTolerance,
} from '../../src/bot/execution/quote-reconciler.ts';
import {
  type IntentId,
  lots,
  type OrderId,
  type OrderSpec,
  type QuoteLevel,
  type Side,
  ticks,
  type WorkingOrder,
} from '../../src/domain/index.ts';
import { aSpec, aWorkingOrder, BTC, ETH } from '../support/trading-builders.ts';

/** An order, or a placement on its way, as far as pairing looks at it. */
interface There {
  readonly priceTicks: number;
  readonly remainingLots: number;
}

/** Pairs exactly first, then the nearest within the tolerance; takes what is paired out of `there`. */
function unmet(
  wanted: readonly QuoteLevel[],
  there: There[],
  { priceTicks = 0, sizeLots = 0 }: QuoteTolerance,
): readonly QuoteLevel[] {
  const take = (one: There | undefined): boolean => {
    if (one === undefined) return false;
    there.splice(there.indexOf(one), 1);
    return true;
  };
  const missing = wanted.filter(
    (level) =>
      !take(there.find((one) => one.priceTicks === level.priceTicks && one.remainingLots === level.sizeLots)),
  );
  return missing.filter((level) => {
    const away = (one: There) => Math.abs(one.priceTicks - level.priceTicks);
    const near = there.filter(
      (one) => away(one) <= priceTicks && Math.abs(one.remainingLots - level.sizeLots) <= sizeLots,
    );
    return !take(near.toSorted((a, b) => away(a) - away(b))[0]);
  });
}

function slowDiff(desired: DesiredQuotes, present: QuotedOrders, tolerance: QuoteTolerance): QuoteDiff {
  const diff = { cancels: [], places: [], unwantedInFlight: [] } as {
    -readonly [Key in keyof QuoteDiff]: QuoteDiff[Key][number][];
  };
  for (const side of ['buy', 'sell'] as const) {
    const isHere = (order: { readonly side: Side; readonly symbol: string }) =>
      order.side === side && order.symbol === desired.symbol;
    const levels = (side === 'buy' ? desired.bids : desired.asks).filter(({ sizeLots }) => sizeLots > 0);
    const flying = present.inFlight
      .filter(isHere)
      .map((order) => ({ order, priceTicks: order.priceTicks, remainingLots: order.sizeLots }));
    const working = present.working
      .filter((order) => isHere(order) && present.isCancelPending?.(order.orderId) !== true)
      .map((order) => ({ order, priceTicks: order.priceTicks, remainingLots: order.remainingLots }));
    const missing = unmet(unmet(levels, flying, tolerance), working, tolerance);
    diff.unwantedInFlight.push(...flying.map(({ order }) => order));
    diff.cancels.push(...working.map(({ order: { symbol, orderId } }) => ({ symbol, orderId })));
    diff.places.push(...missing.map(({ priceTicks, sizeLots }) => ({ side, priceTicks, sizeLots })));
  }
  return diff;
}

const price = fc.integer({ min: 98, max: 104 }).map((value) => ticks(value));
const level = fc.record({
  priceTicks: price,
  sizeLots: fc.integer({ min: 0, max: 3 }).map((size) => lots(size)),
});
const side = fc.constantFrom<Side>('buy', 'sell');
const working = fc.array(
  fc.record({
    side,
    priceTicks: price,
    remainingLots: fc.integer({ min: 1, max: 3 }).map((size) => lots(size)),
    symbol: fc.constantFrom(BTC, BTC, BTC, ETH),
    isPending: fc.boolean(),
  }),
  { maxLength: 30, size: 'max' },
);
const inFlight = fc.array(
  fc.record({
    side,
    priceTicks: price,
    sizeLots: fc.constantFrom(lots(1), lots(2)),
    symbol: fc.constantFrom(BTC, ETH),
  }),
  { maxLength: 20 },
);
const tolerance = fc.record({
  priceTicks: fc.integer({ min: 0, max: 2 }),
  sizeLots: fc.integer({ min: 0, max: 1 }),
});
const levels = fc.array(level, { maxLength: 24 });

test('marks say what lists say, whatever is wanted and whatever is there', () => {
  fc.assert(
    fc.property(levels, levels, working, inFlight, tolerance, (bids, asks, there, flying, within) => {
      const pending = new Set<string>();
      const orders = there.map(({ isPending, ...order }, place): WorkingOrder => {
        if (isPending) pending.add(`${place}`);
        return aWorkingOrder(`${place}`, { ...order, sizeLots: lots(5) });
      });
      const specs = flying.map(
        (spec, place): OrderSpec => aSpec({ ...spec, intentId: `i-${place}` as IntentId }),
      );
      const present = {
        working: orders,
        inFlight: specs,
        isCancelPending: pending.size === 0 ? undefined : (orderId: string) => pending.has(orderId),
      };
      const desired = { symbol: BTC, bids, asks };
      expect(diffQuotes(desired, present, within)).toEqual(slowDiff(desired, present, within));
      // With nothing under way and nothing tolerated there is a short way, for no more orders than a number has bits.
      const twice = orders.map((order, place) => ({ ...order, orderId: `${100 + place}` as OrderId }));
      for (const all of [orders, [...orders, ...twice]]) {
        const alone = { ...present, working: all, inFlight: [] };
        expect(diffQuotes(desired, alone)).toEqual(slowDiff(desired, alone, {}));
      }
    }),
    { numRuns: 2_000 },
  );
});
