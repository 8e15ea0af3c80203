import { expect, test } from 'vitest';
import { runHealthy } from '../../scripts/prove/force/healthy.ts';

test('the switch of a healthy bot never fires in an hour of late requests and a busy event loop (I11, I12)', {
  timeout: 120_000,
}, async () => {
  const run = await runHealthy({ seed: 1, hours: 1 });
  expect(run).toMatchObject({ fires: 0, missed: 0, held: 0 });
  expect(run.renewals).toBeGreaterThanOrEqual(710);
  // It was disturbed, and it traded.
  expect(run.stalls).toBeGreaterThan(100);
  expect(run.gapMsMax).toBeGreaterThan(5_000);
  expect(run.fills).toBeGreaterThan(0);
});
