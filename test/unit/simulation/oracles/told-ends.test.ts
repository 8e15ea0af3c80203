/** @module The oracle of what strategies are told of ended orders: right runs pass, wrong ones do not. */
import { describe, expect, test } from 'vitest';
import type { Applied } from '../../../simulation/oracles/support/truth.ts';
import { ORACLES } from '../../../simulation/oracles/told-ends.ts';
import { ACCOUNT, type MadeOptions, MadeRun } from './made-run.ts';

const ORDER_SEQ = 7n;

/** A run in which an order has come to `status` at the exchange by an event of this kind. */
function came(kind: string, status: string, options: MadeOptions = {}): MadeRun {
  const order = { account: ACCOUNT, market: 0, orderSeq: ORDER_SEQ, status };
  const other = { ...order, account: ACCOUNT + 1, orderSeq: 8n };
  const event = kind === 'Fill' ? { kind, makerOrder: order, takerOrder: other, ...FILL } : { kind, order };
  return new MadeRun(ORACLES, options)
    .live()
    .log({ kind: 'request' }, { events: [event] } as unknown as Applied);
}

const SIDE = { account: ACCOUNT + 1, orderSeq: 8n };
const FILL = { market: 0, priceTicks: 1, lots: 1, takerSide: 'buy', taker: SIDE, maker: SIDE };

function told(one: MadeRun, status: string): readonly string[] {
  const fields = { orderId: ORDER_SEQ.toString(), status, proof: '36' };
  return one.tell({ kind: 'audit', life: 1, event: { type: 'OrderChanged', atMs: 0, fields } }).broken;
}

function resting(one: MadeRun): MadeRun {
  one.venue.orders.set(ORDER_SEQ, { side: 'buy', priceTicks: 1, remainingLots: 1, reduceOnly: false });
  return one;
}

describe('what is told of an end is what became of it (I30, obligation O21)', () => {
  test('an order that was filled is not canceled, and one that was canceled is not filled', () => {
    expect(told(came('Fill', 'filled'), 'filled')).toEqual([]);
    expect(told(came('Fill', 'filled'), 'canceled')).toEqual(['I30']);
    expect(told(came('OrderCanceled', 'canceled'), 'canceled')).toEqual([]);
    expect(told(came('OrderExpired', 'expired'), 'canceled')).toEqual([]);
    expect(told(came('OrderCanceled', 'canceled'), 'filled')).toEqual(['I30']);
  });

  test('an order that rests is not over; one that went without a word of its own is', () => {
    expect(told(resting(came('OrderAccepted', 'open')), 'canceled')).toEqual(['I30']);
    expect(told(came('OrderAccepted', 'open'), 'canceled')).toEqual([]);
    expect(told(resting(came('OrderAccepted', 'open')), 'working')).toEqual([]);
  });

  test('what is told of the ledger before is judged by it', () => {
    const one = came('Fill', 'filled').log({ kind: 'epoch', epoch: 'e2' });
    expect(told(one, 'filled')).toEqual([]);
    expect(told(one, 'canceled')).toEqual(['I30']);
  });

  test('nothing is said where an order keeps the number of the one that it replaces (A10)', () => {
    const plan = { ambiguities: { A10: 'kept' } } as const;
    expect(told(resting(came('OrderAccepted', 'open', { plan })), 'canceled')).toEqual([]);
  });

  describe('a stop that is cut to the position when it fires, and filled', () => {
    const stop = { account: ACCOUNT, market: 0, orderSeq: ORDER_SEQ, reduceOnly: true, seq: 3 };
    const placed = { ...stop, lots: 50, status: 'open' };
    const log = (one: MadeRun, kind: string, order: object): MadeRun =>
      one.log({ kind: 'request' }, { events: [{ kind, order }] } as unknown as Applied);
    const fired = (lots: number, isReduceOnly = true, kind = 'conditional'): MadeRun => {
      const one = log(new MadeRun(ORACLES).live(), 'ConditionalPlaced', { ...placed, waiting: { kind } });
      return log(one, 'OrderAccepted', { ...stop, lots, reduceOnly: isReduceOnly, seq: 5, status: 'filled' });
    };
    const heard = (one: MadeRun, seq: number, life = 1, socket = 1): MadeRun =>
      one.tell({
        kind: 'frame',
        socket,
        life,
        text: `{"channel":"orders","seq":${seq},"data":{"orderId":${ORDER_SEQ},"status":"filled"}}`,
      });
    const listed = (one: MadeRun): MadeRun =>
      one.tell({
        kind: 'frame',
        socket: 1,
        life: 1,
        text: '{"channel":"orders","isSnapshot":true,"seq":2,"data":{"orders":[]}}',
      });
    const frame = (one: MadeRun, seq: number, life = 1): MadeRun => heard(listed(one), seq, life);

    /** An answer after the firing that names it. */
    const asked = (method: 'GET' | 'POST', path: string): MadeRun => {
      const one = fired(20);
      return one.answer(one.request(method, path), 200, { orderId: `${ORDER_SEQ}` });
    };

    test('may be told as canceled where nothing told of it, and as filled', () => {
      expect(told(fired(20), 'canceled')).toEqual([]);
      expect(told(fired(20), 'filled')).toEqual([]);
    });

    test('is filled where it was not cut, or a frame or a read has shown it since', () => {
      expect(told(fired(50), 'canceled')).toEqual(['I30']);
      expect(told(fired(20, false), 'canceled')).toEqual(['I30']);
      expect(told(frame(fired(20), 5), 'canceled')).toEqual(['I30']);
      expect(told(asked('GET', '/v1/account/orders'), 'canceled')).toEqual(['I30']);
    });

    test('is not shown by an event that comes before the list of its connection', () => {
      expect(told(heard(fired(20), 5), 'canceled')).toEqual([]);
      expect(told(heard(listed(fired(20)), 5, 1, 2), 'canceled')).toEqual([]);
    });

    test('is not shown by the refusal of its cancel', () => {
      expect(told(asked('POST', '/v1/orders/cancel'), 'canceled')).toEqual([]);
    });

    test.each(['takeProfit', 'stopLoss'])('may have grown first where it is a leg (%s)', (kind) => {
      expect(told(fired(50, true, kind), 'canceled')).toEqual([]);
      expect(told(frame(fired(50, true, kind), 5), 'canceled')).toEqual(['I30']);
    });

    test('is not shown by a read of before it fired, however late it is answered (swarm seed 6772)', () => {
      const one = fired(20);
      const id = one.request('GET', '/v1/account/orders');
      one.answer(id, 200, { orders: [{ orderId: `${ORDER_SEQ}`, seq: 3 }], seq: 4 });
      expect(told(one, 'canceled')).toEqual([]);
    });

    test('is not told by a frame of before, or to the life before', () => {
      expect(told(frame(fired(20), 4), 'canceled')).toEqual([]);
      expect(told(frame(fired(20), 5, 0), 'canceled')).toEqual([]);
    });
  });
});
