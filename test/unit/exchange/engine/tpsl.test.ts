import { describe, expect, test } from 'vitest';
import type { CanonicalCommand } from '../../../../src/domain/index.ts';
import type { VenueSettings } from '../../../../src/exchange/engine/index.ts';
import { Desk, eventsOf } from './desk.ts';

type Pair = Extract<CanonicalCommand, { kind: 'PlaceTpslPair' }>;

/** A trader who is long 5 at 100 and a maker who bids and offers around; the pair takes profit at 104, stops at 96. */
function setUp(settings: Partial<VenueSettings> = {}) {
  const desk = new Desk(settings);
  const [trader, maker] = [desk.trader(), desk.trader()];
  desk.mustPlace(maker, 'sell', 100, 5);
  desk.place(trader, 'buy', 100, 5);
  desk.mustPlace(maker, 'buy', 90, 100);
  const pair: Pair = {
    kind: 'PlaceTpslPair',
    account: trader,
    market: 0,
    closeSide: 'sell',
    lots: 5n,
    tpTrigger: 104,
    tpPrice: 90,
    slTrigger: 96,
    slPrice: 90,
    positionTpsl: true,
    parentOrderId: undefined,
    nowMs: 0,
  };
  const kinds = () => desk.venue.waitingOrders(trader).map(({ waiting }) => waiting?.kind);
  return { desk, trader, maker, pair, kinds };
}

const canceled = (desk: Desk) => eventsOf(desk.events, 'ConditionalCanceled').map(({ reason }) => reason);

describe('a pair that follows the position', () => {
  test.each([
    [104, 'takeProfit'],
    [96, 'stopLoss'],
  ])('closes all of it at %i with the %s; the other leg is gone', (index, kind) => {
    const { desk, trader, pair, kinds } = setUp();
    const { items } = desk.execute(pair);
    expect(items.map(({ inputIndex, kind: what, state }) => [inputIndex, what, state])).toEqual([
      [0, 'place', 'accepted'],
      [1, 'place', 'accepted'],
    ]);
    expect(kinds()).toEqual(['takeProfit', 'stopLoss']);
    desk.index(index);
    expect(desk.lotsOf(trader)).toBe(5);
    const fired = eventsOf(desk.block(100), 'ConditionalFired');
    expect(fired.map(({ order }) => [order.waiting?.kind, order.lots])).toEqual([[kind, 5]]);
    expect([desk.lotsOf(trader), kinds(), canceled(desk)]).toEqual([0, [], ['OtherLegFired']]);
  });

  test('has the size that the position has when it fires', () => {
    const { desk, trader, maker, pair } = setUp();
    desk.execute({ ...pair, lots: 1n });
    desk.mustPlace(maker, 'sell', 100, 7);
    desk.place(trader, 'buy', 100, 7);
    expect(desk.venue.waitingOrders(trader).map(({ lots }) => lots)).toEqual([12, 12]);
    desk.index(96);
    desk.block(100);
    expect(desk.lotsOf(trader)).toBe(0);
  });

  test('is swept with the block after the position was closed', () => {
    const { desk, trader, pair, kinds } = setUp();
    desk.execute(pair);
    desk.place(trader, 'sell', 90, 5);
    expect(kinds()).toHaveLength(2);
    desk.block(100);
    expect([kinds(), canceled(desk)]).toEqual([[], ['PositionClosed', 'PositionClosed']]);
  });

  test('of a short takes profit below and stops above', () => {
    const { desk, trader, maker, pair } = setUp();
    desk.place(trader, 'sell', 90, 9);
    desk.mustPlace(maker, 'sell', 110, 50);
    const short = { ...pair, closeSide: 'buy', tpPrice: 110, slPrice: 110 } as const;
    expect(desk.execute(short).reason).toBe('InvalidConditional');
    desk.execute({ ...short, tpTrigger: 96, slTrigger: 104 });
    desk.index(105);
    desk.block(100);
    expect(eventsOf(desk.events, 'ConditionalFired').map(({ order }) => order.waiting?.kind)).toEqual([
      'stopLoss',
    ]);
    expect(desk.lotsOf(trader)).toBe(0);
  });

  test('may have one leg alone: trigger 0 builds none', () => {
    const { desk, pair, kinds } = setUp();
    const { items } = desk.execute({ ...pair, tpTrigger: 0, tpPrice: 0 });
    expect([items.length, kinds()]).toEqual([1, ['stopLoss']]);
    desk.index(96);
    desk.block(100);
    expect(canceled(desk)).toEqual([]);
  });

  test('a leg is canceled alone, and both with cancel-all', () => {
    const { desk, trader, pair, kinds } = setUp();
    const [first] = desk.execute(pair).items;
    const orderId = { market: 0, orderSeq: first?.orderSeq ?? 0n };
    desk.execute({ kind: 'CancelConditional', account: trader, orderId });
    expect(kinds()).toEqual(['stopLoss']);
    desk.execute(pair);
    desk.execute({ kind: 'CancelAll', account: trader });
    expect(kinds()).toEqual([]);
  });

  test('waits while the market does not trade', () => {
    const { desk, trader, pair, kinds } = setUp();
    desk.execute(pair);
    desk.keep(desk.venue.setMarketStatus(0, 'Paused', desk.at));
    desk.index(96);
    desk.block(100);
    expect(kinds()).toHaveLength(2);
    desk.keep(desk.venue.setMarketStatus(0, 'Active', desk.at));
    desk.block(100);
    expect(desk.lotsOf(trader)).toBe(0);
  });
});

describe('a pair with a parent order', () => {
  function withParent() {
    const scene = setUp();
    const { desk, trader, pair } = scene;
    desk.place(trader, 'sell', 90, 5);
    const orderSeq = desk.mustPlace(trader, 'buy', 98, 8);
    const parentOrderId = { market: 0, orderSeq };
    const tied = { ...pair, lots: 8n, positionTpsl: false, parentOrderId };
    return { ...scene, orderSeq, tied };
  }

  test('sleeps until the parent trades, then closes what of it has traded', () => {
    const { desk, trader, maker, tied, orderSeq } = withParent();
    desk.execute(tied);
    expect(desk.venue.waitingOrders(trader)[0]?.waiting).toMatchObject({ parentOrderSeq: orderSeq });
    desk.index(96);
    desk.block(100);
    expect(eventsOf(desk.events, 'ConditionalFired')).toEqual([]);
    desk.place(maker, 'sell', 98, 3);
    expect(desk.lotsOf(trader)).toBe(3);
    const fired = eventsOf(desk.block(100), 'ConditionalFired');
    expect(fired.map(({ order }) => [order.waiting?.kind, order.lots])).toEqual([['stopLoss', 3]]);
    expect(desk.lotsOf(trader)).toBe(0);
  });

  test('leaves with a parent that ends without a fill', () => {
    const { desk, trader, tied, orderSeq, kinds } = withParent();
    desk.execute(tied);
    desk.cancel(trader, orderSeq);
    desk.block(100);
    expect([kinds(), canceled(desk)]).toEqual([[], ['ParentCanceled', 'ParentCanceled']]);
  });

  test('stays with what a canceled parent has traded', () => {
    const { desk, trader, maker, tied, orderSeq, kinds } = withParent();
    desk.execute(tied);
    desk.place(maker, 'sell', 98, 3);
    desk.cancel(trader, orderSeq);
    desk.block(100);
    expect(kinds()).toHaveLength(2);
    desk.index(104);
    desk.block(100);
    expect(desk.lotsOf(trader)).toBe(0);
  });

  test.each([
    ['UnknownOrder', { parentOrderId: { market: 0, orderSeq: 1n } }],
    ['InvalidConditional', { positionTpsl: true }],
    ['InvalidConditional', { closeSide: 'buy', tpTrigger: 96, slTrigger: 104 }],
    ['OrderNotAligned', { lots: 0n }],
  ] satisfies [string, Partial<Pair>][])('is refused: %s (%#)', (reason, change) => {
    const { desk, tied } = withParent();
    expect(desk.execute({ ...tied, ...change })).toMatchObject({ reason, items: [] });
  });

  test('is refused for an order of somebody else', () => {
    const { desk, maker, tied } = withParent();
    const orderSeq = desk.mustPlace(maker, 'buy', 91, 1);
    const parentOrderId = { market: 0, orderSeq };
    expect(desk.execute({ ...tied, parentOrderId }).reason).toBe('UnknownOrder');
  });
});

describe('what is refused of a pair', () => {
  test.each([
    ['InvalidConditional', { tpTrigger: 0, slTrigger: 0 }],
    // The golden vector place_tpsl_pair (exchange.md#command-bytes) has such a leg.
    ['InvalidConditional', { slPrice: 0 }],
    ['InvalidConditional', { tpTrigger: 96, slTrigger: 96 }],
    ['InvalidConditional', { positionTpsl: false }],
    ['ReduceOnlyWrongSide', { closeSide: 'buy', tpTrigger: 96, slTrigger: 104 }],
    ['UnknownMarket', { market: 7 }],
  ] satisfies [string, Partial<Pair>][])('%s (%#)', (reason, change) => {
    const { desk, pair } = setUp();
    expect(desk.execute({ ...pair, ...change })).toMatchObject({ status: 'rejected', reason, items: [] });
  });

  test('ReduceOnlyNoPosition, and EquityTierLimitExceeded when one leg is too many', () => {
    const { desk, pair } = setUp({ openOrdersMax: 1 });
    expect(desk.execute({ ...pair, account: desk.trader() }).reason).toBe('ReduceOnlyNoPosition');
    expect(desk.execute(pair).reason).toBe('EquityTierLimitExceeded');
  });
});
