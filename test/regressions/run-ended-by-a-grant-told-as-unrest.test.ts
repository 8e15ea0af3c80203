/**
 * Symptom: a fault had given the only API wallet's grant an end that came after the healing; the run ended by its name, waited
 * for the switch since it could cancel nothing, and was started again, while the simulation told of a bot that never came
 * to rest: seed 321 of the swarm.
 */
import { expect, test } from 'vitest';
import { planOf } from '../simulation/plan.ts';
import { runSimulation } from '../simulation/run.ts';

/** A run whose one wallet loses its grant 20 s after the healing; `isHit`: a fault of the run counts that it did that. */
async function runWithoutGrant(isHit: boolean) {
  const calm = { ambiguities: {}, config: 'patient', signatures: 'keyed', isLaneShared: true } as const;
  // So slow that the second life has nothing yet when the time for a moment of rest is over, whatever a start asks for.
  const latency = { requestMs: 170, answerMs: 52, frameMs: 18, journalMs: 11 };
  const times = { faultsForMs: 10_000, healedForMs: 120_000 };
  const plan = { ...planOf(1, []), ...calm, ...times, latency, faults: { F45: 1e-6 } };
  return await runSimulation(plan, (world) => {
    const { control } = world.exchange;
    const { address, subaccount } = world.account;
    world.watch(({ kind }) => {
      if (kind !== 'healed') return;
      world.tell({ kind: 'fault', id: 'F45', what: 'begun' });
      if (isHit) world.hit('F45');
      const validUntilMs = world.clock.nowMs() + 20_000;
      for (const agent of world.agents())
        control.approve({ account: address, subaccount, agent, validUntilMs });
    });
  });
}

test('a run that a fault ends after the healing has the time of its end and of the next start', async () => {
  const { violations, lives } = await runWithoutGrant(true);
  expect(violations).toEqual([]);
  expect(lives).toBeGreaterThan(1);
});

test('one that ends without such a reason has not', async () => {
  const { violations } = await runWithoutGrant(false);
  expect(violations.map(({ id }) => id)).toContain('I13');
});
