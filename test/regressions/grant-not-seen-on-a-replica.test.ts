import { describe, expect, test } from 'vitest';
import { runWholeBot } from '../support/whole-bot.ts';

describe('a replica that has not seen the approvals of a moment ago', () => {
  test('does not keep the bot from starting: the check of grants names their position (O18, O50)', async () => {
    const { report } = await runWholeBot({ seed: 12, forMs: 10_000, settings: { replicaLagMs: 400 } });
    expect(report).toMatchObject({ reconciled: true, openOrders: 0, unresolved: 0 });
    expect(report.ordersPlaced).toBeGreaterThan(0);
  });
});
