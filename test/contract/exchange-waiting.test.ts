/** Orders that wait outside the book, over the interface: placed, seen, canceled. */
import { describe, expect, test } from 'vitest';
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
