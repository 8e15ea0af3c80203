/**
 * Symptom: the exchange dropped an exit of a bracket, since nothing was left to reduce. The run took the canceled order for a
 * sign that its dead man's switch had fired, pulled all quotes and armed the switch again, with every block.
 */
import { expect, test } from 'vitest';
import { AccountState, type Fact, lots, type OrderId, ticks } from '../../src/domain/index.ts';
import { firingsSeen } from '../support/firings-seen.ts';
import { aMarket, aWorkingOrder, BTC, proof, seq } from '../support/trading-builders.ts';

const ID = '7' as OrderId;
const trigger = { priceTicks: ticks(900_000), isAbove: false };

function firingsAfter(order: Parameters<typeof aWorkingOrder>[1] | undefined): readonly bigint[] {
  const account = new AccountState();
  account.fold({ type: 'MarketChanged', market: aMarket() });
  if (order !== undefined)
    account.fold({ type: 'OrderOpened', order: aWorkingOrder(ID, order), seq: seq(5) });
  const ended: Fact = {
    ...{ type: 'OrderEnded', ref: { symbol: BTC, orderId: ID }, status: 'canceled' },
    ...{ remainingLots: lots(10), seq: seq(9), proof: proof('stream') },
  } as Fact;
  return firingsSeen(account, [ended]);
}

test.each([
  ['an order that the exchange sends when its trigger fires, and that takes no more than it can', 'ioc'],
  ['one that takes all or nothing', 'fok'],
] as const)('%s says nothing of the switch', (_name, timeInForce) => {
  expect(firingsAfter({ reduceOnly: false, trigger, timeInForce })).toEqual([]);
});

test.each([
  ['an exit that waits', { reduceOnly: true, trigger }],
  ['an exit that rests', { reduceOnly: true }],
])('%s and is dropped by the exchange says nothing of the switch', (_name, order) => {
  expect(firingsAfter(order)).toEqual([]);
});

test.each([
  ['a quote', { reduceOnly: false }],
  ['an order that opens and waits', { reduceOnly: false, trigger }],
  ['an order that is not known', undefined],
])('%s that is canceled by nobody here is a sign of the switch', (_name, order) => {
  expect(firingsAfter(order)).toEqual([9n]);
});
