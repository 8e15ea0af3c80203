/**
 * Symptom: a slice, or an exit that fired, met a quote of the same account, and the exchange canceled the quote, since no account
 * trades with itself. From a gateway that gives no reason the run took that for a sign that its dead man's switch had fired: it
 * called a person, canceled all orders and armed the switch again (fleet, seed 60; swarm, seed 4459).
 */
import { expect, test } from 'vitest';
import { AccountState, type Fact, type OrderId, type OrderSpec, ticks } from '../../src/domain/index.ts';
import { firingsSeen } from '../support/firings-seen.ts';
import {
  aMarket,
  aSpec,
  aWorkingOrder,
  BTC,
  LANE,
  proof,
  START_MS,
  seq,
} from '../support/trading-builders.ts';

const QUOTE = '7' as OrderId;
const TAKER = '8' as OrderId;
const SLICE = '9' as OrderId;
const AT = seq(9);
const quote = aWorkingOrder(QUOTE, { side: 'buy', priceTicks: ticks(990_000) });
const plan = {
  slices: 4,
  intervalMs: 1_000,
  priceTolerancePpm: 1_000,
  slicesDone: 1,
  nextSliceAtMs: 0 as const,
};
const selling = (priceTicks: number) => ({ side: 'sell' as const, priceTicks: ticks(priceTicks) });
const trigger = { priceTicks: ticks(990_000), isAbove: false };

const ended = (orderId: OrderId, status: 'filled' | 'canceled', at = AT): Fact => {
  return { type: 'OrderEnded', ref: { symbol: BTC, orderId }, status, seq: at, proof: proof('stream') };
};

/** The positions that are taken for a firing when, beside an order, a quote is canceled after `facts`. */
function firingsAfter(
  other: Parameters<typeof aWorkingOrder>[1],
  facts: readonly Fact[],
  asked: readonly OrderSpec[] = [],
): readonly bigint[] {
  const account = new AccountState();
  account.fold({ type: 'MarketChanged', market: aMarket() });
  for (const order of [quote, aWorkingOrder(TAKER, other)])
    account.fold({ type: 'OrderOpened', order, seq: seq(5) });
  account.reserve({ lane: LANE, places: asked, cancels: [], atMs: START_MS });
  return firingsSeen(account, [...facts, ended(QUOTE, 'canceled')]);
}

const fired = (priceTicks: number): Fact => {
  return { type: 'OrderOpened', order: aWorkingOrder(TAKER, selling(priceTicks)), seq: AT };
};

test.each([
  ['a slice', { ...selling(995_000), twap: plan }, [ended(SLICE, 'filled')]],
  ['an exit that is filled', { ...selling(980_000), trigger }, [ended(TAKER, 'filled')]],
  ['an order that fires and rests', { ...selling(980_000), trigger }, [fired(980_000)]],
])('a quote in the way of %s says nothing of the switch', (_what, other, facts) => {
  expect(firingsAfter(other, facts)).toEqual([]);
});

test.each([
  ['nothing took', { ...selling(980_000), trigger }, []],
  ['what took before it', { ...selling(980_000), trigger }, [ended(TAKER, 'filled', seq(8))]],
  ['what fired above it', { ...selling(991_000), trigger }, [fired(991_000)]],
  ['slices on its own side', { side: 'buy' as const, twap: plan }, [ended(SLICE, 'filled')]],
])('a quote that is canceled is a sign of the switch beside %s', (_what, other, facts) => {
  expect(firingsAfter(other, facts)).toEqual([9n]);
});

test.each([
  ['nothing of the switch, where it is', 'sell', []],
  ['all of the switch, where it is on the same side as', 'buy', [9n]],
] as const)(
  'a first slice before the answer that accepts its order says %s a quote',
  (_what, side, firings) => {
    const asked = aSpec({ side, timeInForce: 'ioc', twap: plan });
    expect(
      firingsAfter({ ...selling(995_000), reduceOnly: true }, [ended(SLICE, 'filled')], [asked]),
    ).toEqual(firings);
  },
);

test.each([
  ['nothing of the switch, where it meets', 980_000, []],
  ['all of the switch, where it does not meet', 991_000, [9n]],
])('an exit that is filled before its answer says %s a quote', (_what, priceTicks, firings) => {
  const asked = aSpec({ ...selling(priceTicks), timeInForce: 'ioc', trigger });
  const unknown = ended('11' as OrderId, 'filled');
  expect(firingsAfter(selling(995_000), [unknown], [asked])).toEqual(firings);
});

test('all orders canceled at once are a sign of the switch', () => {
  expect(firingsAfter({ ...selling(980_000), trigger }, [ended(TAKER, 'canceled')])).toEqual([9n, 9n]);
});
