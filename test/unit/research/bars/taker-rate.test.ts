/** Fees over bars by what was traded within 30 days of UTC. */
import { expect, test } from 'vitest';
import { ppm, quantums } from '../../../../src/domain/index.ts';
import { runBars } from '../../../../src/research/bars/index.ts';
import { TakerRate } from '../../../../src/research/bars/taker-rate.ts';
import { barsOf, targetsAt, termsOf } from '../../../support/bars.ts';
import { aMarket } from '../../../support/trading-builders.ts';

const DAY_US = 86_400_000_000;
const TIERS = [
  { volumeMin: quantums(1_000n), takerPpm: ppm(300) },
  { volumeMin: quantums(3_000n), takerPpm: ppm(200) },
];

test('the fill that reaches a tier pays the rate before it, those behind it pay the tier', () => {
  const rate = new TakerRate(ppm(400), TIERS);
  expect([1_000n, 1_999n, 1n, 1n].map((notional) => rate.take(DAY_US, notional))).toEqual([
    400, 300, 300, 200,
  ]);
});

test('what was traded 30 days of UTC ago counts no more', () => {
  const rate = new TakerRate(ppm(400), TIERS);
  expect(rate.take(5 * DAY_US + 1, 2_999n)).toBe(400);
  expect(rate.take(34 * DAY_US + DAY_US - 1, 1n)).toBe(300);
  expect(rate.take(35 * DAY_US, 5_000n)).toBe(400);
  expect(rate.take(35 * DAY_US + 1, 1n)).toBe(200);
});

test('a run over bars pays by its tiers, to the last quantum', () => {
  const bars = barsOf(Array.from({ length: 4 }, () => [1_000, 1_000, 1_000, 1_000] as const));
  const market = aMarket({ minNotional: quantums(0n) });
  const takerTiers = [{ volumeMin: quantums(1_000_000n), takerPpm: ppm(100) }];
  const run = runBars({ market, bars, rule: targetsAt([10, 0, 10]), terms: termsOf({ takerTiers }) });
  // 10 lots at 1,000 ticks of 100 quantums: 1,000,000 at 400 ppm, then at 100.
  expect([...run.fills.fee]).toEqual([400n, 100n, 100n]);
  expect(run.residual).toBe(0n);
});
