import { describe, expect, test } from 'vitest';
import { anOrder, Desk, eventsOf } from './desk.ts';

const id = (orderSeq: bigint, market = 0) => ({ market, orderSeq });

describe('order numbers and events', () => {
  test('an order number is seq << 16 | record, cancels counted before placements', () => {
    const desk = new Desk();
    const account = desk.trader();
    const old = desk.mustPlace(account, 'buy', 99, 5);
    const outcome = desk.execute({
      kind: 'BatchReplace',
      account,
      nowMs: 0,
      cancels: [id(old)],
      orders: [anOrder('buy', 98, 5), anOrder('sell', 98, 1, { tif: 'postOnly' })],
    });
    const seq = BigInt(desk.seq);
    expect(outcome).toMatchObject({ status: 'executed', batchStatus: 'partial' });
    expect(outcome.items).toMatchObject([
      { kind: 'cancel', inputIndex: 0, recordSub: 0, state: 'canceled', orderSeq: old, canceledLots: 5 },
      { kind: 'place', inputIndex: 0, recordSub: 1, orderSeq: (seq << 16n) | 1n, isResting: true },
      { kind: 'place', inputIndex: 1, recordSub: 2, state: 'rejected', reason: 'PostOnlyWouldCross' },
    ]);
    // The shape of the recorded receipt (exchange.md#receipts): first the cancel, then the placement.
    expect(outcome.events.map(({ kind, idx }) => [kind, idx])).toEqual([
      ['OrderCanceled', 0],
      ['OrderAccepted', 1],
    ]);
  });

  test('requests that share a log entry go on counting records, calls at one place go on counting events', () => {
    const desk = new Desk();
    const account = desk.trader();
    const at = { seq: 50, sub: 0, blockAtMs: desk.nowMs };
    const place = { kind: 'BatchPlace', account, nowMs: 0, orders: [anOrder('buy', 99, 1)] } as const;
    const first = desk.venue.execute(place, at);
    const second = desk.venue.execute(place, { ...at, sub: 1 });
    const third = desk.venue.beginBlock({ ...at, sub: 1 });
    const numbers = [first, second].map(({ items }) => items[0]?.orderSeq);
    expect(numbers).toEqual([50n << 16n, (50n << 16n) | 1n]);
    expect([first.events[0]?.idx, second.events[0]?.idx, third[0]?.idx]).toEqual([0, 0, 1]);
  });

  test('an acceptance stands before its fills and ledger entries stand behind all of them', () => {
    const desk = new Desk({ takerFeePpm: 500 as never });
    const [maker, taker] = [desk.trader(), desk.trader()];
    for (const price of [100, 101]) desk.mustPlace(maker, 'sell', price, 1);
    const { events } = desk.place(taker, 'buy', 101, 2);
    expect(events.map(({ kind }) => kind)).toEqual([
      'OrderAccepted',
      'Fill',
      'Fill',
      ...Array.from({ length: 6 }, () => 'LedgerAppended'),
    ]);
    expect(events.map(({ idx }) => idx)).toEqual(events.map((_event, i) => i));
    expect(events[0]).toMatchObject({ filledLots: 2, isResting: false, order: { status: 'filled' } });
  });
});

describe('batches', () => {
  test('cancels are best effort: unknown, foreign and misplaced orders are refused alone', () => {
    const desk = new Desk();
    const [account, other] = [desk.trader(), desk.trader()];
    const [own, foreign] = [desk.mustPlace(account, 'buy', 99, 1), desk.mustPlace(other, 'buy', 98, 1)];
    const orderIds = [id(7n), id(foreign), id(own, 3), id(own), id(own)];
    const outcome = desk.execute({ kind: 'BatchCancel', account, orderIds });
    expect(outcome.items.map(({ state, reason }) => reason ?? state)).toEqual([
      'UnknownOrder',
      'UnknownOrder',
      'UnknownOrder',
      'canceled',
      'UnknownOrder',
    ]);
    expect(outcome.batchStatus).toBe('partial');
  });

  test('a batch of which nothing succeeds is rejected with its items', () => {
    const desk = new Desk();
    const outcome = desk.execute({ kind: 'BatchCancel', account: desk.trader(), orderIds: [id(3n)] });
    expect(outcome).toMatchObject({
      status: 'rejected',
      reason: 'UnknownOrder',
      batchStatus: 'none',
      events: [],
    });
    expect(outcome.items).toHaveLength(1);
  });

  test('an empty batch succeeds', () => {
    const desk = new Desk();
    const outcome = desk.execute({ kind: 'BatchPlace', account: desk.trader(), nowMs: 0, orders: [] });
    expect(outcome).toMatchObject({ status: 'executed', batchStatus: 'ok', items: [], events: [] });
  });

  test('more records than an order number can count are refused whole', () => {
    const desk = new Desk();
    const orderIds = Array.from({ length: 65_537 }, () => id(1n));
    const outcome = desk.execute({ kind: 'BatchCancel', account: desk.trader(), orderIds });
    expect(outcome).toMatchObject({ reason: 'BatchTooLarge', items: [] });
  });

  test('cancel-all takes every order of the account in every market, and no other', () => {
    const desk = new Desk();
    const [account, other] = [desk.trader(), desk.trader()];
    for (const price of [97, 98]) desk.mustPlace(account, 'buy', price, 1);
    desk.mustPlace(other, 'buy', 99, 1);
    const outcome = desk.execute({ kind: 'CancelAll', account });
    expect(outcome.items).toHaveLength(2);
    expect(desk.bookOf().bids).toEqual([[99, 1]]);
    expect(desk.execute({ kind: 'CancelAll', account })).toMatchObject({ status: 'executed', items: [] });
  });
});

describe('modify', () => {
  const change = { price: 100, lots: 3n, tif: 'gtc', reduceOnly: false, goodTilMs: 0, nowMs: 0 } as const;

  test('cancels and places under a new number', () => {
    const desk = new Desk();
    const account = desk.trader();
    const old = desk.mustPlace(account, 'buy', 99, 2);
    const outcome = desk.execute({ kind: 'ModifyOrder', account, orderId: id(old), ...change });
    expect(outcome.items).toMatchObject([
      { kind: 'cancel', orderSeq: old },
      { kind: 'place', orderSeq: (BigInt(desk.seq) << 16n) | 1n },
    ]);
    expect(desk.bookOf().bids).toEqual([[100, 3]]);
  });

  test('leaves the cancel standing when the placement is refused', () => {
    const desk = new Desk();
    const account = desk.trader();
    const old = desk.mustPlace(account, 'buy', 99, 2);
    const outcome = desk.execute({ kind: 'ModifyOrder', account, orderId: id(old), ...change, lots: 0n });
    expect(outcome).toMatchObject({ status: 'executed', batchStatus: 'partial' });
    expect(outcome.items[1]).toMatchObject({ reason: 'OrderNotAligned' });
    expect(desk.bookOf().bids).toEqual([]);
  });

  test('is refused for an order that is not there', () => {
    const desk = new Desk();
    const outcome = desk.execute({ kind: 'ModifyOrder', account: desk.trader(), orderId: id(1n), ...change });
    expect(outcome).toMatchObject({ status: 'rejected', reason: 'UnknownOrder', items: [] });
  });
});

describe('schedule-cancel', () => {
  const arm = (desk: Desk, account: number, triggerMs: number, nowMs = 0) =>
    desk.execute({ kind: 'ScheduleCancel', account, triggerMs, nowMs });

  test('fires once in the first block at or after its time', () => {
    const desk = new Desk();
    const [account, other] = [desk.trader(), desk.trader()];
    desk.mustPlace(account, 'buy', 99, 1);
    desk.mustPlace(other, 'buy', 98, 1);
    arm(desk, account, desk.nowMs + 20);
    expect(desk.venue.account(account).scheduleCancelAtMs).toBe(desk.nowMs + 20);
    expect(eventsOf(desk.block(19), 'ScheduleCancelFired')).toEqual([]);
    const events = desk.block(1);
    expect(eventsOf(events, 'ScheduleCancelFired')).toMatchObject([{ account, canceledOrders: 1 }]);
    expect(eventsOf(events, 'OrderCanceled')).toMatchObject([{ reason: 'ScheduleCancel' }]);
    desk.mustPlace(account, 'buy', 97, 1);
    expect(eventsOf(desk.block(100), 'ScheduleCancelFired')).toEqual([]);
    expect(desk.bookOf().bids).toEqual([
      [98, 1],
      [97, 1],
    ]);
  });

  test('is cleared by 0 and moved by a later time', () => {
    const desk = new Desk();
    const account = desk.trader();
    arm(desk, account, desk.nowMs + 20);
    arm(desk, account, desk.nowMs + 50);
    expect(eventsOf(desk.block(30), 'ScheduleCancelFired')).toEqual([]);
    expect(arm(desk, account, 0).status).toBe('executed');
    expect(eventsOf(desk.block(30), 'ScheduleCancelFired')).toEqual([]);
  });

  test('InvalidScheduleCancel: the past, and nearer than the lead', () => {
    const desk = new Desk({ scheduleCancelLeadMs: 5000 });
    const account = desk.trader();
    expect(arm(desk, account, desk.nowMs - 1).reason).toBe('InvalidScheduleCancel');
    expect(arm(desk, account, desk.nowMs + 4999).reason).toBe('InvalidScheduleCancel');
    expect(arm(desk, account, desk.nowMs + 5000, desk.nowMs + 1).reason).toBe('InvalidScheduleCancel');
    expect(arm(desk, account, desk.nowMs + 5000).status).toBe('executed');
  });
});
