/**
 * Symptom: where the event of an end names the number of its order alone, and nobody knows that number, the market of the order and
 * so what explains its end are unknown. It must not pass for a sign that the switch has fired; an own order's end is one (I30, seed 8190).
 */
import { expect, test } from 'vitest';
import { AccountState, type Fact, type OrderId } from '../../src/domain/index.ts';
import { firingsSeen } from '../support/firings-seen.ts';
import { accepted, aMarket, aSpec, LANE, proof, START_MS, sent, seq } from '../support/trading-builders.ts';

const quote = aSpec({ priceTicks: 999_000 });

/** The positions that are taken for a firing when these orders end, with a quote of number 7 at work. */
function firingsAfter(ends: readonly (readonly [string, 'canceled' | 'filled'])[], asked = false) {
  const account = new AccountState();
  const facts: readonly Fact[] = [
    { type: 'MarketChanged', market: aMarket() },
    sent('r1', [quote]),
    accepted(quote, '7', { seq: 5 }),
  ];
  for (const fact of facts) account.fold(fact);
  const taker = aSpec({ side: 'sell', priceTicks: 998_000 });
  if (asked) account.reserve({ lane: LANE, places: [taker], cancels: [], atMs: START_MS });
  const heard = ends.map(([orderId, status]): Fact => {
    const ref = { symbol: undefined, orderId: orderId as OrderId };
    return { type: 'OrderEnded', ref, status, seq: seq(9), proof: proof('stream') };
  });
  return firingsSeen(account, heard);
}

test('a number that nobody knows says nothing of the switch', () => {
  expect(firingsAfter([['8', 'canceled']])).toEqual([]);
});

test('an own quote that is canceled unasked does, though only its answer has shown it', () => {
  expect(firingsAfter([['7', 'canceled']])).toEqual([9n]);
  expect(firingsAfter([['7', 'filled']])).toEqual([]);
});

test('not where an order in flight that meets it may be what has just taken', () => {
  expect(
    firingsAfter(
      [
        ['8', 'filled'],
        ['7', 'canceled'],
      ],
      true,
    ),
  ).toEqual([]);
  expect(
    firingsAfter([
      ['8', 'filled'],
      ['7', 'canceled'],
    ]),
  ).toEqual([9n]);
});
