import { describe, expect, test } from 'vitest';
import { runForce } from '../../scripts/prove/force.ts';

/** Those that are short and stand in no other test; `npm run prove -- force` does them all. */
const SHORT = ['stopped', 'blocked-shortly', 'late-network', 'full-disk'];

describe.skipIf(process.platform !== 'linux')('a live bot that is struck while its exchange lives on', () => {
  test('leaves no open orders by the armed trigger and places nothing without a switch (I11, F52, F53, F6, F55)', {
    timeout: 120_000,
  }, async () => {
    const run = await runForce({ seed: 11, only: SHORT, jobs: SHORT.length });
    expect(run.violations).toEqual([]);
    expect(run.cases).toBe(SHORT.length);
    expect(run.worstMs).toBeLessThanOrEqual(1_000);
    // Nobody took the orders away before the switch did.
    expect(run.worstMs).toBeGreaterThan(0);
  });
});
