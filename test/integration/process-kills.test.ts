import { describe, expect, test } from 'vitest';
import { runKills } from '../../scripts/prove/kills.ts';

/** `npm run prove -- kills` does the same 20 times at other instants. */
describe.skipIf(process.platform !== 'linux')('a quoting bot that is killed at random instants', () => {
  test('leaves no open orders, comes back reconciled, places no order twice and loses no fill (O34, O97, F50)', {
    timeout: 120_000,
  }, async () => {
    const run = await runKills({ kills: 3, seed: 5 });
    expect(run.failures).toEqual([]);
    expect(run.kills).toHaveLength(3);
    expect(run.fills.exchange).toBeGreaterThan(0);
    expect(run.orders.seen).toBeGreaterThan(run.kills.length * 4);
    expect(run.kills.some((kill) => kill.isEarly)).toBe(true);
    expect(run.kills.some((kill) => !kill.isEarly)).toBe(true);
  });
});
