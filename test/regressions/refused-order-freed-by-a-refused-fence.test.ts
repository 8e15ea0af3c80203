/**
 * Symptom: an order was refused without its nonce being spent, and so was the fence behind it: the exposure of the order
 * was let go although its bytes could still be executed (I10, swarm seed 30006).
 */
import { expect, test } from 'vitest';
import { AccountState, approve } from '../../src/domain/index.ts';
import { aMarket, aSpec, BTC } from '../support/trading-builders.ts';
import { aBench, type Bench, refusal, TRADER } from '../unit/bot/execution/support.ts';

const REFUSED = {
  kind: 'answer',
  answer: refusal(422, 'InsufficientMargin', { nonceConsumed: false, reason: 'InsufficientMargin' }),
} as const;

function reservedLots(bench: Bench): number {
  const state = new AccountState();
  state.fold({ type: 'MarketChanged', market: aMarket() });
  for (const fact of bench.facts) state.fold(fact);
  return state.exposure(BTC).buyLots;
}

test('a refused order stays reserved until its nonce is spent, whatever else is refused there', async () => {
  const bench = aBench();
  await bench.start();
  const { gateway, executor } = bench;
  const spec = aSpec();
  gateway.fates.push(REFUSED, REFUSED);
  executor.submit(approve({ lane: TRADER, command: { kind: 'place', orders: [spec] } }));
  // The fence is due a second later; only then the next answer is given.
  await bench.run(1_030);
  const fences = () =>
    gateway.posts.filter(({ kind, signer }) => kind === 'ScheduleCancel' && signer === bench.trader.address);
  expect(fences()).toHaveLength(1);
  expect(gateway.fates).toEqual([]);
  expect(
    bench
      .of('WriteResolved')
      .filter(({ lane }) => lane === TRADER)
      .map(({ outcome }) => outcome),
  ).toEqual(['refused', 'refused']);
  expect(reservedLots(bench)).toBe(spec.sizeLots);
  await bench.run(3_000);
  expect(
    bench
      .of('WriteResolved')
      .filter(({ lane }) => lane === TRADER)
      .at(-1),
  ).toMatchObject({ outcome: 'executed' });
  expect(reservedLots(bench)).toBe(0);
  executor.dispose();
});
