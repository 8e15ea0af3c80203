import { expect, test } from 'vitest';
import { seededRandom, unixMs } from '../../../../src/core/index.ts';
import { AccountState } from '../../../../src/exchange/engine/accounts/account.ts';
import { ExpiryQueue } from '../../../../src/exchange/engine/orders/expiry-queue.ts';
import { OrderState } from '../../../../src/exchange/engine/orders/order-state.ts';
import { MarketState } from '../../../../src/exchange/engine/prices/market-state.ts';
import { aMarket, someSettings } from './desk.ts';

const [told] = someSettings().markets;
const market = new MarketState(told ?? { market: aMarket(), indexTicks: 1 as never }, 0);
const holding = new AccountState(1).holding(market);

function anOrderUntil(goodTilMs: number, orderSeq: number): OrderState {
  return new OrderState(holding, {
    orderSeq: BigInt(orderSeq),
    side: 'buy',
    priceTicks: 100,
    lots: 1,
    tif: 'gtc',
    reduceOnly: false,
    goodTilMs,
    createdAtMs: unixMs(0),
    seq: 0,
  });
}

test('orders come out by the end of their validity, then by number, and none too early', () => {
  const queue = new ExpiryQueue();
  const random = seededRandom(7);
  const orders = Array.from({ length: 500 }, (_none, i) => anOrderUntil(random.integer(1, 100), i));
  for (const order of orders) queue.push(order);
  const found: OrderState[] = [];
  for (let nowMs = 0; nowMs <= 102; nowMs += 3) {
    for (let order = queue.takeExpired(nowMs); order; order = queue.takeExpired(nowMs)) {
      expect(order.terms.goodTilMs).toBeLessThan(nowMs);
      order.status = 'expired';
      queue.onClosed();
      found.push(order);
    }
  }
  const wanted = [...orders].sort((a, b) => a.terms.goodTilMs - b.terms.goodTilMs || a.id - b.id);
  expect(found.map(({ id }) => id)).toEqual(wanted.map(({ id }) => id));
});

test('orders that closed before their time are forgotten', () => {
  const queue = new ExpiryQueue();
  for (let i = 0; i < 10_000; i++) {
    const order = anOrderUntil(1_000_000, i);
    queue.push(order);
    order.status = 'canceled';
    queue.onClosed();
  }
  expect(queue.size).toBeLessThan(100);
  expect(queue.takeExpired(2_000_000)).toBeUndefined();
});
