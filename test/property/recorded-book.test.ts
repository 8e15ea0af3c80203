/** Recorded levels as orders: what rests equals what was recorded, nobody loses a place, no money appears. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { quantums, type Side } from '../../src/domain/index.ts';
import { createRecordedFlow } from '../../src/exchange/flow/recorded-flow.ts';
import type { RecordedFlowBook, RecordedFlowEvent } from '../../src/exchange/flow/recorded-source.ts';
import { TestFlowHost, totalCash } from '../support/flow-host.ts';
import { ListSource, recordedBook, recordedTrade, recordedVenueMarket } from '../support/recorded-events.ts';

/** Orders of somebody else, by block. */
type Orders = readonly { block: number; side: Side; price: number; lots: number }[];

const LEVELS_MAX = 6;
const size = fc.integer({ min: 1, max: 60 });

/** A book that is not locked: distances from a center that wanders. */
const book = fc
  .record({
    center: fc.integer({ min: 990, max: 1_010 }),
    bids: fc.uniqueArray(fc.tuple(fc.integer({ min: 1, max: 12 }), size), {
      selector: ([away]) => away,
      maxLength: LEVELS_MAX,
    }),
    asks: fc.uniqueArray(fc.tuple(fc.integer({ min: 0, max: 12 }), size), {
      selector: ([away]) => away,
      maxLength: LEVELS_MAX,
    }),
  })
  .map(({ center, bids, asks }) => (atMs: number) => {
    const nearFirst = <T extends readonly [number, number]>(levels: T[]) =>
      [...levels].sort((a, b) => a[0] - b[0]);
    return recordedBook(
      atMs,
      nearFirst(bids).map(([away, lots]) => [center - away, lots]),
      nearFirst(asks).map(([away, lots]) => [center + away, lots]),
    );
  });
const trade = fc
  .record({
    aggressor: fc.constantFrom('buy' as const, 'sell' as const),
    price: fc.integer({ min: 985, max: 1_015 }),
    size,
  })
  .map((one) => (atMs: number) => recordedTrade(atMs, one));
const recording = fc
  .array(fc.oneof({ weight: 3, arbitrary: book }, { weight: 1, arbitrary: trade }), {
    minLength: 1,
    maxLength: 40,
  })
  .map((makers) => makers.map((make, at): RecordedFlowEvent => make(at * 100)));

function play(events: readonly RecordedFlowEvent[]) {
  const host = new TestFlowHost({ markets: [recordedVenueMarket()] });
  const flow = createRecordedFlow({ market: 0, source: new ListSource(events) });
  return { host, flow };
}

function levelsOf(event: RecordedFlowBook) {
  const side = (levels: RecordedFlowBook['bids']) =>
    levels.map(({ priceTicks, sizeLots }) => [Number(priceTicks), Number(sizeLots)]);
  return { bids: side(event.bids), asks: side(event.asks) };
}

test('after each set of levels the book is that set when nobody else trades', () => {
  fc.assert(
    fc.property(recording, (events) => {
      const { host, flow } = play(events);
      host.attach(flow);
      for (const event of events) {
        if (event.kind === 'levels') expect(host.book(0, 99)).toEqual(levelsOf(event));
        host.run(100);
      }
      expect(flow.stats().rejected).toEqual({});
      expect(flow.stats().bookCrossed).toBe(0);
      expect(totalCash(host)).toBe(host.deposited);
    }),
  );
});

test('an order keeps its place: recorded lots before it never grow', () => {
  const joined = fc.record({
    first: fc.integer({ min: 1, max: 200 }),
    sizes: fc.array(fc.integer({ min: 0, max: 200 }), { minLength: 1, maxLength: 30 }),
  });
  fc.assert(
    fc.property(joined, ({ first, sizes }) => {
      const at = (atMs: number, lots: number) =>
        recordedBook(atMs, lots === 0 ? [[980, 1]] : [[990, lots]], [[1_010, 10]]);
      const { host, flow } = play([at(0, first), ...sizes.map((lots, n) => at((n + 1) * 100, lots))]);
      host.attach(flow);
      const user = host.createAccount(quantums(10n ** 12n));
      const placed = host.submit({
        kind: 'BatchPlace',
        account: user,
        nowMs: 0,
        orders: [{ market: 0, side: 'buy', price: 990, lots: 7n, tif: 'postOnly', reduceOnly: false }],
      });
      const own = placed.items[0]?.orderSeq ?? 0n;
      const crowd = host.accounts[0] ?? 0;
      const ahead = () =>
        host
          .openOrders(crowd)
          .filter((order) => order.priceTicks === 990 && order.orderSeq < own)
          .reduce((sum, order) => sum + order.remainingLots, 0);
      let before = ahead();
      expect(before).toBe(first);
      for (const lots of sizes) {
        host.run(100);
        expect(ahead()).toBeLessThanOrEqual(Math.min(before, lots));
        before = ahead();
        expect(host.book(0, 1).bids).toEqual([[990, lots + 7]]);
      }
      expect(host.openOrders(user)).toHaveLength(1);
    }),
  );
});

test('with another trader cash is conserved, the book is never crossed and the same inputs give the same bytes', () => {
  const orders = fc.array(
    fc.record({
      block: fc.integer({ min: 0, max: 39 }),
      side: fc.constantFrom('buy' as const, 'sell' as const),
      price: fc.integer({ min: 985, max: 1_015 }),
      lots: size,
    }),
    { maxLength: 30 },
  );
  const run = (events: readonly RecordedFlowEvent[], own: Orders) => {
    const { host, flow } = play(events);
    host.attach(flow);
    const user = host.createAccount(quantums(10n ** 12n));
    for (let block = 0; block < 40; block++) {
      for (const { side, price, lots } of own.filter((order) => order.block === block)) {
        const order = { market: 0, side, price, lots: BigInt(lots), tif: 'gtc' as const, reduceOnly: false };
        host.submit({ kind: 'BatchPlace', account: user, nowMs: 0, orders: [order] });
      }
      host.run(100);
      const { bids, asks } = host.book(0, 1);
      if (bids[0] !== undefined && asks[0] !== undefined) expect(bids[0][0]).toBeLessThan(asks[0][0]);
    }
    expect(totalCash(host)).toBe(host.deposited);
    return host.digest();
  };
  fc.assert(
    fc.property(recording, orders, (events, own) => {
      expect(run(events, own)).toBe(run(events, own));
    }),
  );
});
