/** The formulas against the figures that the paper prints (M. Avellaneda, S. Stoikov, Quantitative Finance 8(3), 2008). */
import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../../src/core/index.ts';
import {
  modelQuotesOf,
  optimalSpreadOf,
  reservationPriceOf,
} from '../../../strategies/avellaneda-stoikov/quotes.ts';

/** Section 3.3 of the paper: s = 100, T = 1, sigma = 2, dt = 0.005, k = 1.5, A = 140. */
const PAPER = { sigma: 2, kappa: 1.5 };
const STEPS = 200;
const DT = 1 / STEPS;
const INTENSITY = 140;

/** Mean of the optimal spread over a session, as the tables print it. */
function meanSpread(gamma: number): number {
  const times = Array.from({ length: STEPS }, (_, step) => 1 - step * DT);
  return times.reduce((sum, timeLeft) => sum + optimalSpreadOf({ ...PAPER, gamma, timeLeft }), 0) / STEPS;
}

/** One simulated session: profit and final inventory. */
function session(gamma: number, isLeaning: boolean, random: ReturnType<typeof seededRandom>) {
  let [mid, cash, inventory] = [100, 0, 0];
  for (let step = 0; step < STEPS; step++) {
    const timeLeft = 1 - step * DT;
    const model = modelQuotesOf({ ...PAPER, gamma, timeLeft, mid, inventory: isLeaning ? inventory : 0 });
    const isFilled = (distance: number) =>
      random.chance(Math.min(1, INTENSITY * Math.exp(-PAPER.kappa * distance) * DT));
    const [isBuy, isSell] = [isFilled(mid - model.bid), isFilled(model.ask - mid)];
    if (isBuy) [cash, inventory] = [cash - model.bid, inventory + 1];
    if (isSell) [cash, inventory] = [cash + model.ask, inventory - 1];
    mid += random.chance(0.5) ? PAPER.sigma * Math.sqrt(DT) : -PAPER.sigma * Math.sqrt(DT);
  }
  return { profit: cash + inventory * mid, inventory };
}

function deviation(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
}

describe('formulas', () => {
  test('the mean spread is 1.49 at a risk aversion of 0.1 and 1.35 at 0.01 (tables 1 and 2)', () => {
    expect(meanSpread(0.1)).toBeCloseTo(1.49, 2);
    expect(meanSpread(0.01)).toBeCloseTo(1.35, 2);
  });

  test('the reservation price lies below the middle when long, above when short, on it when flat', () => {
    const at = (inventory: number, timeLeft = 1) =>
      reservationPriceOf({ ...PAPER, mid: 100, gamma: 0.1, timeLeft, inventory });
    expect([at(0), at(1), at(-1)]).toEqual([100, 99.6, 100.4]);
    expect(at(5, 0)).toBe(100);
  });

  test('the spread of somebody who does not mind risk is 2 / kappa', () => {
    expect(optimalSpreadOf({ ...PAPER, gamma: 1e-12, timeLeft: 1 })).toBeCloseTo(2 / 1.5, 9);
  });
});

describe('a thousand sessions of the paper', () => {
  const random = seededRandom(2008);
  const leaning = Array.from({ length: 1_000 }, () => session(0.1, true, random));
  const symmetric = Array.from({ length: 1_000 }, () => session(0.1, false, random));

  test('earn about 65 with a deviation of about 6.6 and end with 2.9 orders (table 1)', () => {
    const profits = leaning.map(({ profit }) => profit);
    expect(profits.reduce((sum, profit) => sum + profit, 0) / profits.length).toBeCloseTo(65, -1);
    expect(deviation(profits)).toBeGreaterThan(5.6);
    expect(deviation(profits)).toBeLessThan(7.6);
    expect(deviation(leaning.map(({ inventory }) => inventory))).toBeCloseTo(2.9, 0);
  });

  test('vary half as much as those of a maker who does not lean', () => {
    const ratio =
      deviation(leaning.map(({ profit }) => profit)) / deviation(symmetric.map(({ profit }) => profit));
    expect(ratio).toBeLessThan(0.65);
  });
});
