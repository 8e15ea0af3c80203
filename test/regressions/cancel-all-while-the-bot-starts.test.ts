import { expect, test } from 'vitest';
import { approve } from '../../src/domain/index.ts';
import { aSpec } from '../support/trading-builders.ts';
import { aBench, TRADER } from '../unit/execution/support.ts';

/**
 * A monitor that saw a stranger's order between the first facts and the first write wanted everything canceled; execution
 * took that for a bug, and the run ended as one.
 */
test('what takes risk away waits for the end of the start, and is carried out then', async () => {
  const bench = aBench();
  bench.executor.submitSafety({ kind: 'cancelAll' });
  await bench.start();
  await bench.run(1_500);
  expect(bench.gateway.executed.filter(({ kind }) => kind === 'CancelAll')).toHaveLength(1);
  bench.executor.submit(approve({ lane: TRADER, command: { kind: 'place', orders: [aSpec()] } }));
  await bench.run(50);
  expect(bench.gateway.orders.size).toBe(1);
});
