/**
 * Symptom: one exit of a bracket fired in the block after it was placed, so that the exchange dropped the other one before the answer
 * with their numbers was there. From a gateway whose events give a number and no reason the run took that for a sign that its dead
 * man's switch had fired: it called a person, canceled all orders and armed the switch again (seed 1105).
 */
import { expect, test } from 'vitest';
import {
  AccountState,
  type Fact,
  lots,
  type OrderId,
  type OrderSpec,
  ticks,
} from '../../src/domain/index.ts';
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

const trigger = { priceTicks: ticks(900_000), isAbove: false };

/** The positions that are taken for a firing when an order in BTC that nobody knows is canceled while `asked` is in flight. */
function firingsAfter(asked: Partial<OrderSpec>, before: readonly Fact[] = []): readonly bigint[] {
  const account = new AccountState();
  account.fold({ type: 'MarketChanged', market: aMarket() });
  account.reserve({ lane: LANE, places: [aSpec(asked)], cancels: [], atMs: START_MS });
  const ended = {
    ...{ type: 'OrderEnded', ref: { symbol: BTC, orderId: '8' as OrderId }, status: 'canceled' },
    ...{ remainingLots: lots(10), seq: seq(9), proof: proof('stream') },
  } as Fact;
  return firingsSeen(account, [...before, ended]);
}

const taken: Fact = {
  type: 'OrderOpened',
  order: aWorkingOrder('9' as OrderId, { side: 'sell', priceTicks: ticks(990_000) }),
  seq: seq(9),
};

test.each<[string, Partial<OrderSpec>, readonly Fact[]]>([
  ['an exit', { reduceOnly: true, trigger }, []],
  ['an order that may only reduce', { reduceOnly: true }, []],
  ['an order that takes when its trigger fires', { trigger, timeInForce: 'ioc' }, []],
  ['a quote that an own order meets', { side: 'buy', priceTicks: ticks(990_000) }, [taken]],
])('%s whose answer is on its way says nothing of the switch', (_name, asked, before) => {
  expect(firingsAfter(asked, before)).toEqual([]);
});

test.each<[string, Partial<OrderSpec>]>([
  ['a quote', {}],
  ['an exit in another market', { symbol: ETH, reduceOnly: true }],
])(
  'beside %s whose answer is on its way, an order that nobody knows is a sign of the switch',
  (_name, asked) => {
    expect(firingsAfter(asked)).toEqual([9n]);
  },
);
