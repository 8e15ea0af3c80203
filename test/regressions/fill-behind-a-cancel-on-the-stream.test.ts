/**
 * @module
 * The end of an order on the stream says what was left of it: what was filled of it and is not booked yet stays exposed
 * (invariant I10).
 */
import { expect, test } from 'vitest';
import { AccountState, type Cursor, type Fact, lots, type OrderId } from '../../src/domain/index.ts';
import type { OrderState } from '../../src/wire/protocol/index.ts';
import { OrderFacts } from '../../src/wire/stream/account/order-facts.ts';
import { accepted, aFill, aMarket, aSpec, BTC, resolved, sent, seq } from '../support/trading-builders.ts';

test('a fill that comes behind the cancel of its order is exposed in between', () => {
  const facts: Fact[] = [];
  const orders = new OrderFacts((fact) => facts.push(fact));
  const spec = aSpec({ sizeLots: 10 });
  const state: OrderState = {
    symbol: BTC,
    orderId: '7' as OrderId,
    side: 'buy',
    priceTicks: spec.priceTicks,
    sizeLots: lots(10),
    remainingLots: lots(4),
    timeInForce: 'gtc',
    reduceOnly: false,
    status: 'canceled',
    seq: seq(20),
    expiresAtMs: 0,
  };
  orders.replace([{ ...state, status: 'open', remainingLots: lots(10), seq: seq(10) }], seq(10));
  orders.apply(state, seq(20));
  const account = new AccountState();
  const before: readonly Fact[] = [
    { type: 'MarketChanged', market: aMarket() },
    { type: 'AccountSynced', seq: seq(1) },
    sent('r1', [spec]),
    accepted(spec, '7'),
    resolved('r1', 'executed', { seq: 10 }),
  ];
  for (const fact of [...before, ...facts]) account.fold(fact);
  expect(account.workingOrders(BTC)).toEqual([]);
  expect(account.exposure(BTC).buyLots).toBe(6);
  account.fold({
    type: 'FillRecorded',
    fill: aFill({ id: '19-0-0' as Cursor, orderId: '7' as OrderId, sizeLots: 6 }),
  });
  expect(account.exposure(BTC).buyLots).toBe(0);
});
