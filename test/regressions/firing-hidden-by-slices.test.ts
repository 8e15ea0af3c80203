/**
 * Symptom: where an order was worked over time in each market, every cancel of a fired dead man's switch looked like a quote in
 * the way of a slice. The run placed orders without an armed switch until its next heartbeat (swarm seed 3909).
 */
import { expect, test } from 'vitest';
import { AccountState, type Fact, type OrderId, ticks } from '../../src/domain/index.ts';
import { runSimulation } from '../simulation/run.ts';
import { planFor } from '../simulation/seed.ts';
import { cancelsSeen } from '../support/firings-seen.ts';
import { aMarket, aWorkingOrder, BTC, proof, seq } from '../support/trading-builders.ts';

const plan = { slices: 4, intervalMs: 1_000, priceTolerancePpm: 1_000, slicesDone: 1, nextSliceAtMs: 0 };
const SLICED = '7' as OrderId;
const QUOTE = '8' as OrderId;

test('cancels that slices explain are told as such, and not kept back', () => {
  const account = new AccountState();
  account.fold({ type: 'MarketChanged', market: aMarket() });
  const sell = { side: 'sell', priceTicks: ticks(995_000) } as const;
  for (const order of [
    aWorkingOrder(SLICED, { ...sell, twap: { ...plan, nextSliceAtMs: 0 as const } }),
    aWorkingOrder(QUOTE, { side: 'buy', priceTicks: ticks(990_000) }),
  ])
    account.fold({ type: 'OrderOpened', order, seq: seq(5) });
  const canceled = (orderId: OrderId): Fact => ({
    ...{ type: 'OrderEnded', ref: { symbol: BTC, orderId }, status: 'canceled', seq: seq(9) },
    proof: proof('stream'),
  });
  expect(cancelsSeen(account, [canceled(QUOTE), canceled(SLICED)])).toEqual([
    { at: 9n, isExplained: true },
    { at: 9n, isExplained: true },
  ]);
});

test('a firing beside slices leaves no order without an armed switch', async () => {
  const request = { seed: 3909, faults: ['F24', 'F35', 'F43'], quirks: { A13: 'plain' } } as const;
  const { violations } = await runSimulation(await planFor(request));
  expect(violations).toEqual([]);
}, 60_000);
