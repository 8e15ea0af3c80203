/** What the status of a market does to writes, reads and streams. */

import { describe, expect, test } from 'vitest';
import { ticks } from '../../src/domain/index.ts';
import { startTestExchange } from '../support/test-exchange.ts';

async function setUp() {
  const venue = await startTestExchange();
  const other = venue.another();
  other.place([{ side: 'sell', price: '100000.0', size: '0.0100' }]);
  venue.place([{ price: '100000.0', size: '0.0100' }]);
  const { orderId } = venue.place([{ price: '90000.0' }]).json.items[0];
  return { venue, orderId: orderId as string };
}

describe('the status of a market', () => {
  test.each(['Paused', 'CancelOnly', 'FinalSettlement'])(
    '%s is shown, refuses orders at the price of a nonce, and lets them be canceled (GW-STATUS)',
    async (status) => {
      const { venue, orderId } = await setUp();
      venue.exchange.control.marketStatus({ symbol: 'BTC-USD', status });
      expect(venue.get('/v1/markets/BTC-USD').json.status).toBe(status);
      const refused = venue.place([{ price: '90000.0' }]);
      expect([refused.status, refused.json.error.code]).toEqual([422, 'MarketNotTrading']);
      expect(refused.json.error.details.nonceConsumed).toBe(true);
      const cancel = { orders: [{ symbol: 'BTC-USD', orderId }] };
      expect(venue.write('/v1/orders/cancel', cancel).json.status).toBe('executed');
    },
  );

  test('FinalSettlement ends positions and orders with the next block; ledger and streams tell (GW-STATUS)', async () => {
    const { venue, orderId } = await setUp();
    const stream = venue.stream();
    stream.subscribe({ channel: 'positions', address: venue.address });
    stream.subscribe({ channel: 'orders', address: venue.address }, 2);
    venue.exchange.control.price({ symbol: 'BTC-USD', price: ticks(1_020_000) });
    venue.exchange.control.marketStatus({ symbol: 'BTC-USD', status: 'FinalSettlement' });
    venue.blocks(1);
    expect(venue.get(`/v1/account/positions?address=${venue.address}`).json.positions).toEqual([]);
    expect(venue.get(`/v1/account/orders?address=${venue.address}`).json.orders).toEqual([]);
    const ledger = venue.get(`/v1/account/ledger?address=${venue.address}`).json.data;
    expect(ledger.at(-1)).toMatchObject({
      kind: 'final_settlement',
      amount: '1020.000000',
      symbol: 'BTC-USD',
      sub: 65_535,
    });
    expect(stream.of('positions').at(-1).data.positions).toMatchObject([{ size: '0.0000' }]);
    expect(stream.of('orders').at(-1).data).toMatchObject({ orderId, status: 'canceled' });
    const told = venue
      .get('/v1/events')
      .json.data.find((event: { kind: string }) => event.kind === 'FinalSettled');
    expect(told.data).toEqual({ symbol: 'BTC-USD', price: '102000.0', positions: 2 });
  });
});
