/**
 * Symptom: where an order was worked over time in each market, every cancel of a fired dead man's switch looked like a quote in
 * the way of a slice. The run placed orders without an armed switch until its next heartbeat (swarm seed 3909).
 */
import { expect, test } from 'vitest';
import { AccountState, type Fact, type OrderId, ticks } from '../../src/domain/index.ts';
import { cancelsSeen } from '../support/firings-seen.ts';
import { aMarket, aWorkingOrder, BTC, proof, seq } from '../support/trading-builders.ts';

const SLICED = '7' as OrderId;
const QUOTE = '8' as OrderId;
const AT = seq(9);
const sliced = (slicesDone: number, reduceOnly = false) =>
  aWorkingOrder(SLICED, {
    ...{ side: 'sell', priceTicks: ticks(995_000), reduceOnly },
    twap: { slices: 4, intervalMs: 1_000, priceTolerancePpm: 1_000, slicesDone, nextSliceAtMs: 0 as const },
  });

/** What is seen when a quote and an order that is worked in slices are canceled at one position. */
function seenAfter(order: ReturnType<typeof sliced>, before: readonly Fact[] = [], isOurs = false) {
  const account = new AccountState();
  account.fold({ type: 'MarketChanged', market: aMarket() });
  for (const one of [order, aWorkingOrder(QUOTE, { side: 'buy', priceTicks: ticks(990_000) })])
    account.fold({ type: 'OrderOpened', order: one, seq: seq(5) });
  const canceled = (orderId: OrderId): Fact => ({
    ...{ type: 'OrderEnded', ref: { symbol: BTC, orderId }, status: 'canceled', seq: AT },
    proof: proof('stream'),
  });
  if (isOurs) account.reserveCancels([{ symbol: BTC, orderId: SLICED }]);
  return cancelsSeen(account, [...before, canceled(QUOTE), canceled(SLICED)]);
}

test('an order that goes with slices left puts the switch in doubt', () => {
  expect(seenAfter(sliced(1))).toEqual([{ at: 9n, isCertain: false }]);
});

test.each([
  ['its last slice is seen', [sliced(3), { type: 'OrderOpened', order: sliced(4), seq: AT }]],
  ['its last slice was seen', [sliced(4)]],
  ['it only reduces a position', [sliced(1, true)]],
] as const)('an order that goes says nothing of the switch where %s', (_what, [order, ...facts]) => {
  expect(seenAfter(order, facts)).toEqual([]);
});

test('an order that goes while a cancel of ours is on its way says nothing of the switch', () => {
  expect(seenAfter(sliced(1), [], true)).toEqual([]);
});
