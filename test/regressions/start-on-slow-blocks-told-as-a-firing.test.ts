/**
 * Symptom: on an exchange with blocks above a second a healthy start logged `dead man switch fired` as an error. The write
 * that spends the first nonce of a wallet sets the switch a second ahead, and the first heartbeat was not confirmed by
 * then.
 */
import { expect, test } from 'vitest';
import { runSimulation } from '../simulation/run.ts';
import { planFor } from '../simulation/seed.ts';

test('is no alarm (invariant I28)', async () => {
  const plan = await planFor({ seed: 2886, faults: [], minutes: 1 });
  expect(plan.settings.blockMs).toBeGreaterThan(1_000);
  const fired: string[] = [];
  const { violations } = await runSimulation(plan, (world) =>
    world.watch((sight) => {
      if (sight.kind === 'log' && sight.message === 'dead man switch fired') fired.push(sight.level);
    }),
  );
  expect(violations).toEqual([]);
  expect(fired).toEqual([]);
});
