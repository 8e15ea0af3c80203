import { describe, expect, test } from 'vitest';
import type { Fact, Seq } from '../../../../src/domain/index.ts';
import { decodeFrame, type OrderState } from '../../../../src/wire/protocol/index.ts';
import { OrderFacts } from '../../../../src/wire/stream/account/order-facts.ts';
import { accountFrame, anOrder, MARKETS } from './scripted.ts';

function order(orderId: string, fields: object = {}): OrderState {
  const text = JSON.stringify(
    accountFrame('orders', 1, { orders: [anOrder(orderId, fields)] }, { isSnapshot: true }),
  );
  const decoded = decodeFrame(text, MARKETS, { book: () => undefined });
  if (!decoded.ok || decoded.value.channel !== 'orders' || !decoded.value.isSnapshot)
    throw new Error('expected an order frame');
  const [state] = decoded.value.orders;
  if (state === undefined) throw new Error('expected an order');
  return state;
}

const seq = (value: number) => BigInt(value) as Seq;

function aTracker() {
  const facts: Fact[] = [];
  const orders = new OrderFacts((fact) => facts.push(fact));
  return { orders, types: () => facts.map(({ type }) => type), facts };
}

describe('order facts', () => {
  test('replace the whole set with a snapshot, which may leave orders out (O93)', () => {
    const { orders, facts } = aTracker();
    orders.replace([order('1'), order('2')], seq(10));
    orders.replace([order('2')], seq(20));
    expect(facts.map((fact) => (fact.type === 'OrdersReplaced' ? fact.orders.length : -1))).toEqual([2, 1]);
    expect(orders.openCount).toBe(1);
  });

  test('leave out of a snapshot what is not open', () => {
    const { orders, facts } = aTracker();
    orders.replace([order('1', { status: 'filled' }), order('2')], seq(10));
    expect(facts).toMatchObject([{ orders: [{ orderId: '2' }] }]);
  });

  test('say that an order is open, changes and ends, with the proof (O81, I30)', () => {
    const { orders, facts } = aTracker();
    orders.replace([], seq(10));
    orders.apply(order('1', { seq: 11 }), seq(11));
    orders.apply(order('1', { seq: 12, remaining: '0.5000' }), seq(12));
    orders.apply(order('1', { seq: 13, status: 'canceled' }), seq(13));
    expect(facts.slice(1)).toMatchObject([
      { type: 'OrderOpened', order: { remainingLots: 10_000 } },
      { type: 'OrderOpened', order: { remainingLots: 5_000 } },
      { type: 'OrderEnded', status: 'canceled', proof: { by: 'stream', id: '13' } },
    ]);
  });

  test('take several changes of one log position', () => {
    const { orders, types } = aTracker();
    orders.replace([], seq(10));
    orders.apply(order('1'), seq(11));
    orders.apply(order('1', { remaining: '0.5000' }), seq(11));
    orders.apply(order('1', { status: 'filled' }), seq(11));
    expect(types().slice(1)).toEqual(['OrderOpened', 'OrderOpened', 'OrderEnded']);
  });

  test('revive no order that has ended, whatever comes late (O82)', () => {
    const { orders, types } = aTracker();
    orders.replace([], seq(10));
    orders.apply(order('1'), seq(11));
    orders.apply(order('1', { status: 'filled' }), seq(13));
    orders.apply(order('1'), seq(12));
    orders.apply(order('1'), seq(13));
    orders.apply(order('1', { status: 'filled' }), seq(13));
    expect(types()).toEqual(['OrdersReplaced', 'OrderOpened', 'OrderEnded']);
  });

  test('know an order again that a replacement opened under its old number (A10)', () => {
    const { orders, types } = aTracker();
    orders.replace([], seq(10));
    orders.apply(order('1'), seq(11));
    orders.apply(order('1', { status: 'canceled' }), seq(12));
    orders.apply(order('1'), seq(14));
    orders.apply(order('1', { status: 'filled' }), seq(15));
    expect(types().slice(1)).toEqual(['OrderOpened', 'OrderEnded', 'OrderOpened', 'OrderEnded']);
  });

  test('pass events by that a snapshot already includes', () => {
    const { orders, types } = aTracker();
    orders.replace([order('2', { seq: 9 })], seq(20));
    orders.apply(order('1'), seq(15));
    orders.apply(order('2', { remaining: '0.9000' }), seq(8));
    orders.apply(order('2', { status: 'canceled' }), seq(8));
    expect(types()).toEqual(['OrdersReplaced']);
  });

  test('tell the end of an order that was open before the snapshot', () => {
    const { orders, types } = aTracker();
    orders.replace([], seq(20));
    orders.apply(order('1', { status: 'expired' }), seq(15));
    expect(types()).toEqual(['OrdersReplaced', 'OrderEnded']);
  });

  test('say nothing before the first snapshot of a connection (O91)', () => {
    const { orders, types } = aTracker();
    orders.apply(order('1'), seq(15));
    orders.replace([], seq(20));
    orders.interrupt();
    orders.apply(order('2'), seq(25));
    expect(types()).toEqual(['OrdersReplaced']);
  });
});
