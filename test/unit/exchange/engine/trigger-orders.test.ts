import { describe, expect, test } from 'vitest';
import type { VenueSettings } from '../../../../src/exchange/engine/index.ts';
import { Desk } from './desk.ts';

/** A trader whose stop sells at 90 once the index is at or below 95. */
function setUp(settings: Partial<VenueSettings> = {}) {
  const desk = new Desk(settings);
  const account = desk.trader();
  const stop = {
    kind: 'PlaceConditional',
    account,
    market: 0,
    side: 'sell',
    price: 90,
    lots: 3n,
    tif: 'gtc',
    reduceOnly: false,
    goodTilMs: 0,
    nowMs: 0,
    triggerPrice: 95,
    triggerAbove: false,
  } as const;
  return { desk, account, stop };
}

describe('an order that waits for a trigger', () => {
  test('is in no book until a block begins with the index at its trigger, then it is a plain order of its number', () => {
    const { desk, account, stop } = setUp();
    const placed = desk.execute(stop);
    expect(placed.events.map(({ kind }) => kind)).toEqual(['ConditionalPlaced']);
    expect(desk.venue.openOrders(account)).toEqual([]);
    desk.index(94);
    // A spike within a block does not fire it.
    desk.index(100);
    expect(desk.block(100).map(({ kind }) => kind)).toEqual(['BlockBegun']);
    desk.index(95);
    expect(desk.block(100).map(({ kind }) => kind)).toEqual([
      'BlockBegun',
      'ConditionalFired',
      'OrderAccepted',
    ]);
    const [order] = desk.venue.openOrders(account);
    expect(order).toMatchObject({ orderSeq: placed.items[0]?.orderSeq, side: 'sell', lots: 3 });
    expect(desk.venue.triggerOrders(account)).toEqual([]);
  });

  test('is told gone when it may not be placed any more', () => {
    const { desk, stop } = setUp();
    desk.execute({ ...stop, reduceOnly: true });
    desk.index(90);
    expect(desk.block(100).slice(1)).toMatchObject([
      { kind: 'ConditionalFired' },
      { kind: 'ConditionalCanceled', reason: 'ReduceOnlyNoPosition' },
    ]);
  });

  test('is refused without a trigger, and canceled by its owner alone', () => {
    const { desk, account, stop } = setUp();
    expect(desk.execute({ ...stop, triggerPrice: 0 }).reason).toBe('InvalidConditional');
    const orderSeq = desk.execute(stop).items[0]?.orderSeq ?? 0n;
    const cancel = { kind: 'CancelConditional', orderId: { market: 0, orderSeq } } as const;
    expect(desk.execute({ ...cancel, account: desk.trader() }).reason).toBe('UnknownOrder');
    expect(desk.execute({ ...cancel, account }).items).toMatchObject([
      { state: 'canceled', canceledLots: 3 },
    ]);
    expect(desk.execute({ ...cancel, account }).reason).toBe('UnknownOrder');
  });

  test.each([
    [{}, 0],
    [{ sparesTriggerOrders: true }, 1],
  ] as const)(
    'goes with cancel-all and with the switch, or is left alone (ambiguity A13: %j)',
    (settings, left) => {
      const { desk, account, stop } = setUp(settings);
      desk.execute(stop);
      desk.execute({ kind: 'CancelAll', account });
      expect(desk.venue.triggerOrders(account)).toHaveLength(left);
      desk.execute({ kind: 'CancelAll', account });
      desk.execute(stop);
      desk.execute({ kind: 'ScheduleCancel', account, triggerMs: desk.nowMs + 1_000, nowMs: 0 });
      desk.venue.endSwitch(account, 'fire', desk.at);
      expect(desk.venue.triggerOrders(account)).toHaveLength(2 * left);
    },
  );
});
