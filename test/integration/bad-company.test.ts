import { describe, expect, test } from 'vitest';
import { planOf } from '../simulation/plan.ts';
import { runSimulation } from '../simulation/run.ts';
import type { FaultId, SimulationPlan } from '../simulation/types.ts';

/** A short seed of these faults alone, each so often. */
function shortPlan(seed: number, ids: readonly FaultId[], perMinute: number): SimulationPlan {
  return {
    ...planOf(seed, []),
    faultsForMs: 180_000,
    healedForMs: 60_000,
    faults: Object.fromEntries(ids.map((id) => [id, perMinute])),
    ambiguities: {},
    signatures: 'keyed',
    config: 'company',
  };
}

/** Each strike does nothing but its own: what is hit has taken effect. */
describe('a bot in bad company', () => {
  test.each(['F61', 'F62', 'F63 F66', 'F64 F65', 'F67'])(
    'survives strategies that misbehave, and quotes on (I17): %s',
    async (ids) => {
      const wanted = ids.split(' ') as FaultId[];
      const run = await runSimulation(shortPlan(7, wanted, 2));
      expect(run.violations).toEqual([]);
      for (const id of wanted) expect(run.hits[id], id).toBeGreaterThan(0);
    },
  );

  test.each(['F69', 'F71', 'F72'] as const)('comes through other bots of its owner: %s', async (id) => {
    const run = await runSimulation(shortPlan(7, [id], 2));
    expect(run.violations).toEqual([]);
    expect(run.hits[id]).toBeGreaterThan(0);
  });
});
