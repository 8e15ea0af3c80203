import { describe, expect, test } from 'vitest';
import { runSimulation } from '../simulation/run.ts';
import { planFor } from '../simulation/seed.ts';
import type { SimulationPlan } from '../simulation/types.ts';

/** A short swarm: `npm run prove -- swarm` runs longer ones. */
const TWICE = [1, 2, 3, 4, 5];
const ONCE = Array.from({ length: 15 }, (_none, at) => TWICE.length + at + 1);
const FAULTS_MS = 150_000;
const HEALED_MS = 60_000;

async function shortPlan(seed: number): Promise<SimulationPlan> {
  return { ...(await planFor({ seed })), faultsForMs: FAULTS_MS, healedForMs: HEALED_MS };
}

describe('whole bots in the simulation', () => {
  test.each(ONCE)('seed %i: no invariant is broken (I1 to I30)', async (seed) => {
    const { violations } = await runSimulation(await shortPlan(seed));
    expect(violations).toEqual([]);
  });

  test.each(TWICE)('seed %i: none is broken, and twice the same was seen (I19)', async (seed) => {
    const plan = await shortPlan(seed);
    const { violations, traceHash, writes } = await runSimulation(plan);
    expect(violations).toEqual([]);
    expect(writes).toBeGreaterThan(10);
    expect((await runSimulation(plan)).traceHash).toBe(traceHash);
  });
});
