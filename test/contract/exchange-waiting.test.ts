/** Orders that wait outside the book, over the interface: placed, seen, canceled. */

import { describe, expect, test } from 'vitest';
import { ticks } from '../../src/domain/index.ts';
import { startTestExchange, type TestExchange } from '../support/test-exchange.ts';

/** An exchange where somebody sells 5 BTC at 100,000, the index price. */
async function setUp(): Promise<{ venue: TestExchange; other: TestExchange }> {
  const venue = await startTestExchange();
  const other = venue.another();
  other.place([{ side: 'sell', price: '100000.0', size: '5.0000' }]);
  return { venue, other };
}

const open = (venue: TestExchange) => venue.get(`/v1/account/orders?address=${venue.address}`).json.orders;
const order = (venue: TestExchange, orderId: string) => venue.get(`/v1/orders/${orderId}`);
const position = (venue: TestExchange) =>
  venue.get(`/v1/account/positions?address=${venue.address}`).json.positions[0]?.size ?? '0';

describe('a time-weighted order', () => {
  const twap = (venue: TestExchange) => ({
    symbol: 'BTC-USD',
    side: 'buy',
    size: '0.3000',
    slices: 3,
    intervalMs: 1_000,
    priceTolerancePpm: 5_000,
    reduceOnly: false,
    nowMs: venue.nowMs,
  });

  test.each([0, 'wallet'] as const)(
    'is placed by API wallet and main wallet alike, seen while it lives, and ends filled (GW-TWAP) (%s)',
    async (by) => {
      const { venue } = await setUp();
      const stream = venue.stream();
      stream.subscribe({ channel: 'orders', address: venue.address });
      const { json } = venue.write('/v1/orders/twap', twap(venue), { by });
      expect(json).toMatchObject({ status: 'executed', items: [{ kind: 'place', state: 'accepted' }] });
      const { orderId } = json.items[0];
      expect(order(venue, orderId).json).toMatchObject({
        kind: 'twap',
        price: '100500.0',
        remaining: '0.3000',
      });
      venue.blocks(1);
      expect(open(venue)).toMatchObject([
        {
          orderId,
          status: 'open',
          remaining: '0.2000',
          twap: { slices: 3, slicesDone: 1, intervalMs: 1_000 },
        },
      ]);
      venue.clock.advance(2_000);
      expect([open(venue), order(venue, orderId).status, position(venue)]).toEqual([[], 404, '0.3000']);
      const told = stream.of('orders').filter((frame) => frame.data.orderId === orderId);
      expect(told.map(({ data }) => [data.status, data.remaining])).toEqual([
        ['open', '0.3000'],
        ['open', '0.2000'],
        ['open', '0.1000'],
        ['filled', '0.0000'],
        ['filled', '0.0000'],
      ]);
      const history = venue.get(`/v1/account/orders/history?address=${venue.address}`).json.orders;
      expect(history[0]).toMatchObject({ orderId, status: 'filled', kind: 'twap' });
      const kinds = venue.get('/v1/events').json.data.map((event: { kind: string }) => event.kind);
      expect(kinds).toEqual(expect.arrayContaining(['TwapPlaced', 'TwapSliced', 'TwapEnded']));
    },
  );

  test('is in the snapshot of the orders channel, and is canceled by its number and by cancel-all (GW-TWAP)', async () => {
    const { venue } = await setUp();
    const { orderId } = venue.write('/v1/orders/twap', twap(venue)).json.items[0];
    const stream = venue.stream();
    stream.subscribe({ channel: 'orders', address: venue.address });
    expect(stream.of('orders')[0]).toMatchObject({ isSnapshot: true, data: { orders: [{ orderId }] } });
    const cancel = { orders: [{ symbol: 'BTC-USD', orderId }] };
    expect(venue.write('/v1/orders/cancel', cancel).json.items).toMatchObject([
      { kind: 'cancel', state: 'canceled', canceledSize: '0.3000' },
    ]);
    expect(venue.write('/v1/orders/cancel', cancel).json.error.code).toBe('UnknownOrder');
    venue.write('/v1/orders/twap', twap(venue));
    venue.write('/v1/orders/cancel-all', {});
    expect(open(venue)).toEqual([]);
    venue.blocks(20);
    expect(position(venue)).toBe('0');
  });

  test.each([
    ['slices', 0, 400, 'InvalidRequest'],
    ['intervalMs', 0, 400, 'InvalidRequest'],
    ['priceTolerancePpm', 1_000_000, 400, 'InvalidRequest'],
    ['size', '0.00001', 400, 'InvalidPrecision'],
    ['symbol', 'X-USD', 400, 'UnknownMarket'],
  ])('is refused with %s of %s (GW-TWAP)', async (field, value, status, code) => {
    const { venue } = await setUp();
    const { text } = venue.signed('/v1/orders/twap', twap(venue));
    const body = JSON.stringify({ ...JSON.parse(text), [field]: value });
    const answer = venue.post('/v1/orders/twap', body);
    expect([answer.status, answer.json.error.code]).toEqual([status, code]);
  });

  test('with more slices than steps costs its nonce (GW-TWAP)', async () => {
    const { venue } = await setUp();
    const answer = venue.write('/v1/orders/twap', { ...twap(venue), slices: 3_001 });
    expect(answer.status).toBe(422);
    expect(answer.json.error).toMatchObject({ code: 'InvalidTwap', details: { nonceConsumed: true } });
  });
});

describe('a trigger order', () => {
  const stop = (venue: TestExchange, fields: object = {}) => ({
    orders: [
      {
        symbol: 'BTC-USD',
        side: 'buy',
        price: '101000.0',
        size: '0.1000',
        timeInForce: 'gtc',
        reduceOnly: false,
        clientOrderId: 'breakout',
        trigger: { price: '100500.0', above: true },
        ...fields,
      },
    ],
    nowMs: venue.nowMs,
  });

  test.each([0, 'wallet'] as const)(
    'waits among the open orders and fires with a block, under its own number (GW-TRIGGER) (%s)',
    async (by) => {
      const { venue } = await setUp();
      const stream = venue.stream();
      stream.subscribe({ channel: 'orders', address: venue.address });
      const { json } = venue.write('/v1/orders', stop(venue), { by });
      const { orderId } = json.items[0];
      expect(json.items[0]).toMatchObject({ state: 'accepted', resting: false, clientOrderId: 'breakout' });
      expect(open(venue)).toMatchObject([
        {
          orderId,
          kind: 'conditional',
          clientOrderId: 'breakout',
          trigger: { price: '100500.0', above: true, parentOrderId: null },
        },
      ]);
      const byLabel = venue.get(`/v1/orders/client/breakout?address=${venue.address}`).json;
      expect([byLabel.orderId, byLabel.kind]).toEqual([orderId, 'conditional']);
      venue.exchange.control.price({ symbol: 'BTC-USD', price: ticks(1_005_000) });
      expect(position(venue)).toBe('0');
      venue.blocks(1);
      expect([position(venue), open(venue)]).toEqual(['0.1000', []]);
      const told = stream.of('orders').filter((frame) => frame.data.orderId === orderId);
      expect(told.map(({ data }) => [data.status, data.kind])).toEqual([
        ['open', 'conditional'],
        ['filled', undefined],
      ]);
    },
  );

  test('is canceled as what it is, or by its number; a kind that it is not is unknown (GW-TRIGGER)', async () => {
    const { venue } = await setUp();
    const place = () => venue.write('/v1/orders', stop(venue)).json.items[0].orderId as string;
    const cancel = (orderId: string, fields: object, by: 0 | 'wallet' = 0) =>
      venue.write('/v1/orders/cancel', { orders: [{ symbol: 'BTC-USD', orderId, ...fields }] }, { by });
    const first = place();
    expect(cancel(first, { kind: 'twap' }).json.error.code).toBe('UnknownOrder');
    expect(cancel(first, { kind: 'conditional' }, 'wallet').json.items).toMatchObject([
      { kind: 'cancel', state: 'canceled', orderId: first },
    ]);
    expect(cancel(place(), {}).json.status).toBe('executed');
    expect(open(venue)).toEqual([]);
    const history = venue.get(`/v1/account/orders/history?address=${venue.address}`).json.orders;
    expect(history).toMatchObject([{ status: 'canceled' }, { orderId: first, status: 'canceled' }]);
  });

  test.each([
    ['/v1/orders', { orders: 2 }],
    ['/v1/orders/replace', { orders: 1, cancels: [] }],
  ])('stands alone: %s with more than it is refused (GW-TRIGGER)', async (path, { orders, ...rest }) => {
    const { venue } = await setUp();
    const { text } = venue.signed('/v1/orders/cancel-all', {});
    const [order] = stop(venue).orders;
    const body = { ...JSON.parse(text), ...rest, orders: Array(orders).fill(order), nowMs: venue.nowMs };
    const answer = venue.post(path, JSON.stringify(body));
    expect([answer.status, answer.json.error.code]).toEqual([400, 'InvalidRequest']);
    expect(answer.json.error.message).toContain('trigger');
  });
});

describe('take-profit and stop-loss', () => {
  const pair = (venue: TestExchange, fields: object = {}) => ({
    symbol: 'BTC-USD',
    closeSide: 'sell',
    takeProfit: { triggerPrice: '102000.0', price: '90000.0' },
    stopLoss: { triggerPrice: '98000.0', price: '90000.0' },
    nowMs: venue.nowMs,
    ...fields,
  });

  async function withPosition() {
    const scene = await setUp();
    scene.venue.place([{ price: '100000.0', size: '0.2000' }]);
    scene.other.place([{ side: 'buy', price: '95000.0', size: '5.0000' }]);
    expect(position(scene.venue)).toBe('0.2000');
    return scene;
  }

  test.each([0, 'wallet'] as const)(
    'follow the position, close all of it once, and are seen as what they are (GW-TPSL) (%s)',
    async (by) => {
      const { venue } = await withPosition();
      const { json } = venue.write('/v1/positions/tpsl', pair(venue), { by });
      expect(json.items).toMatchObject([
        { inputIndex: 0, kind: 'place', size: '0.2000' },
        { inputIndex: 1, kind: 'place', size: '0.2000' },
      ]);
      expect(open(venue).map((one: { kind: string }) => one.kind)).toEqual(['takeProfit', 'stopLoss']);
      venue.exchange.control.price({ symbol: 'BTC-USD', price: ticks(980_000) });
      venue.blocks(1);
      expect([position(venue), open(venue)]).toEqual(['0', []]);
      const history = venue.get(`/v1/account/orders/history?address=${venue.address}`).json.orders;
      expect(history.slice(0, 2)).toMatchObject([
        { orderId: json.items[1].orderId, status: 'filled', reduceOnly: true },
        { orderId: json.items[0].orderId, status: 'canceled', kind: 'takeProfit' },
      ]);
    },
  );

  test('of a parent order name it, and leave with it (GW-TPSL)', async () => {
    const { venue } = await withPosition();
    const parentOrderId = venue.place([{ price: '90000.0', size: '0.1000' }]).json.items[0].orderId;
    const tied = pair(venue, { parentOrderId, size: '0.1000' });
    expect(venue.write('/v1/positions/tpsl', tied).json.status).toBe('executed');
    expect(open(venue)[1]).toMatchObject({ kind: 'takeProfit', trigger: { parentOrderId } });
    venue.write('/v1/orders/cancel', { orders: [{ symbol: 'BTC-USD', orderId: parentOrderId }] });
    venue.blocks(1);
    expect(open(venue)).toEqual([]);
  });

  test.each([
    ['no leg', { takeProfit: undefined, stopLoss: undefined }, 'InvalidRequest'],
    ['a leg without a price', { stopLoss: { triggerPrice: '98000.0' } }, 'InvalidRequest'],
    ['a parent and no size', { parentOrderId: '1' }, 'InvalidRequest'],
    ['a parent that is no number', { parentOrderId: 'x', size: '0.1000' }, 'InvalidRequest'],
  ])('are refused with %s (GW-TPSL)', async (_what, fields, code) => {
    const { venue } = await setUp();
    const { text } = venue.signed('/v1/orders/cancel-all', {});
    const body = JSON.stringify({ ...JSON.parse(text), ...pair(venue, fields) });
    const answer = venue.post('/v1/positions/tpsl', body);
    expect([answer.status, answer.json.error.code]).toEqual([400, code]);
  });

  test('cost their nonce when there is no position (GW-TPSL)', async () => {
    const { venue } = await setUp();
    const answer = venue.write('/v1/positions/tpsl', pair(venue));
    expect(answer.json.error).toMatchObject({
      code: 'ReduceOnlyNoPosition',
      details: { nonceConsumed: true },
    });
  });
});
