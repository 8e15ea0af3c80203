/**
 * Symptom: a slice of a time-weighted order took less than it could, so that the exchange canceled the rest of it. The run took that
 * for a sign that its dead man's switch had fired, canceled all orders and armed the switch again, with every such slice.
 */
import { expect, test } from 'vitest';
import { AccountState, type Fact, lots, type MarketSymbol, type OrderId } from '../../src/domain/index.ts';
import { firingsSeen } from '../support/firings-seen.ts';
import {
  aMarket,
  aSpec,
  aWorkingOrder,
  BTC,
  ETH,
  LANE,
  proof,
  START_MS,
  seq,
} from '../support/trading-builders.ts';

const PARENT = '7' as OrderId;
const SLICE = '8' as OrderId;
const plan = { slices: 4, intervalMs: 1_000, priceTolerancePpm: 1_000 };
const worked = aWorkingOrder(PARENT, { twap: { ...plan, slicesDone: 1, nextSliceAtMs: 0 } });

/** The positions that are taken for a firing when an order ends that nobody here canceled. */
function firingsAfter(
  before: (account: AccountState) => void,
  orderId: OrderId,
  symbol: MarketSymbol = BTC,
): readonly bigint[] {
  const account = new AccountState();
  account.fold({ type: 'MarketChanged', market: aMarket() });
  before(account);
  const ended = {
    ...{ type: 'OrderEnded', ref: { symbol, orderId }, status: 'canceled' },
    ...{ remainingLots: lots(10), seq: seq(9), proof: proof('stream') },
  } as Fact;
  return firingsSeen(account, [ended]);
}

const works = (account: AccountState) => account.fold({ type: 'OrderOpened', order: worked, seq: seq(5) });
const isAsked = (account: AccountState) => {
  const places = [aSpec({ timeInForce: 'ioc', twap: plan })];
  account.reserve({ lane: LANE, places, cancels: [], atMs: START_MS });
};

test.each([
  ['a slice, which nobody knows', works, SLICE],
  ['a slice that is heard of before the answer that accepts its order', isAsked, SLICE],
  ['the order after its last slice', works, PARENT],
])('%s is canceled by the exchange and says nothing of the switch', (_what, before, orderId) => {
  expect(firingsAfter(before, orderId)).toEqual([]);
});

test('an order that nobody knows in another market is a sign of the switch', () => {
  expect(firingsAfter(works, SLICE, ETH)).toEqual([9n]);
  expect(firingsAfter(() => undefined, SLICE)).toEqual([9n]);
});
