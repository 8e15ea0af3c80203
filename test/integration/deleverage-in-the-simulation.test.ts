/** @module The exchange closes the bot's position against a debt, without a fill, in the simulation (F47, I2, I3). */
import { expect, test } from 'vitest';
import { planOf } from '../simulation/plan.ts';
import { runSimulation } from '../simulation/run.ts';
import type { SimulationPlan } from '../simulation/types.ts';

test('a seed in which the bot is deleveraged breaks nothing (F47)', async () => {
  const plan: SimulationPlan = {
    ...planOf(12, []),
    ...{ faultsForMs: 500_000, healedForMs: 60_000, faults: { F47: 4 }, config: 'calm' },
  };
  let deleverages = 0;
  const run = await runSimulation(plan, ({ exchange, account }) => {
    exchange.control.watch(({ events }) => {
      for (const event of events)
        if (event.kind === 'Deleverage' && event.counterAccount === account.accountId) deleverages++;
    });
  });
  expect(deleverages).toBeGreaterThan(0);
  expect(run.violations).toEqual([]);
  expect(run.hits['F47']).toBeGreaterThan(deleverages);
});
