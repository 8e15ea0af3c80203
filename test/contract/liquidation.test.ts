/** Liquidation as a client sees it: orders, fills, positions, ledger and events. */

import { describe, expect, test } from 'vitest';
import { quantums, ticks } from '../../src/domain/index.ts';
import { startTestExchange, type TestExchange } from '../support/test-exchange.ts';

const sumOf = (venue: TestExchange): bigint =>
  venue
    .get(`/v1/account/ledger?address=${venue.address}&limit=1000`)
    .json.data.reduce(
      (sum: bigint, { amount }: { amount: string }) => sum + BigInt(amount.replace('.', '')),
      0n,
    );

describe('an account below its maintenance margin', () => {
  test('is closed with the next block; its reads, streams and ledger agree (GW-LIQUIDATION)', async () => {
    const venue = await startTestExchange();
    const other = venue.another();
    const { collateral } = venue.get(`/v1/account?address=${venue.address}`).json;
    // As much as 20 times the cash allows, from somebody who has to be rich enough to hold the other side.
    const size = (Math.floor((Number(collateral) / 100_000) * 18 * 10) / 10).toFixed(4);
    other.exchange.control.fund({
      account: other.address,
      amount: quantums(BigInt(collateral.replace('.', '')) * 9n),
    });
    other.place([{ side: 'sell', price: '100000.0', size }]);
    venue.place([{ price: '100000.0', size }]);
    venue.place([{ price: '60000.0', size: '0.0010' }]);
    other.place([{ price: '97000.0', size }]);
    const stream = venue.stream();
    for (const channel of ['orders', 'fills', 'positions', 'ledger'])
      stream.subscribe({ channel, address: venue.address });
    venue.exchange.control.price({ symbol: 'BTC-USD', price: ticks(970_000) });
    venue.blocks(1);
    expect(venue.get(`/v1/account/positions?address=${venue.address}`).json.positions).toEqual([]);
    expect(venue.get(`/v1/account/orders?address=${venue.address}`).json.orders).toEqual([]);
    const events = venue.get('/v1/events?limit=1000').json.data;
    const told = events.find((event: { kind: string }) => event.kind === 'Liquidation');
    expect(told.data).toMatchObject({ symbol: 'BTC-USD', side: 'sell', size });
    const fill = stream.of('fills').at(-1).data;
    expect(fill).toMatchObject({ orderId: told.data.orderId, side: 'sell', role: 'taker', price: '97000.0' });
    expect(stream.of('positions').at(-1).data.positions).toMatchObject([{ size: '0.0000' }]);
    const statuses = stream.of('orders').map(({ data }) => data.status);
    expect(statuses.slice(1)).toEqual(['canceled', 'filled']);
    expect(stream.of('ledger').map(({ data }) => data.kind)).toContain('liquidation_fee');
    for (const one of [venue, other]) {
      const cash = one.get(`/v1/account?address=${one.address}`).json.collateral as string;
      expect(sumOf(one)).toBe(BigInt(cash.replace('.', '')));
    }
  });
});
