import { describe, expect, test } from 'vitest';
import { DISTURBED_SETTINGS, disturb, runWholeBot } from '../support/whole-bot.ts';

const LAST_BLOCKS_MS = 5_000;

describe('a lost answer while the replica that serves reads is far behind', () => {
  test('does not make the lane believe that its nonce is beyond the counter (O27)', async () => {
    const forMs = 30_000;
    const { observed, report, world } = await runWholeBot({
      seed: 51,
      forMs,
      settings: DISTURBED_SETTINGS,
      prepare: (made) =>
        disturb(made, [
          { kind: 'replica lag', atMs: 5_000, forMs: 15_000, strength: 0.9 },
          { kind: 'answers lost after commit', atMs: 8_000, forMs: 4_000, strength: 0.5 },
        ]),
    });
    const stoppedAtMs = world.clock.nowMs() - world.clock.monotonicMs() + forMs;
    expect(observed.placedAtMs.some((atMs) => atMs > stoppedAtMs - LAST_BLOCKS_MS)).toBe(true);
    expect(report).toMatchObject({ reconciled: true, openOrders: 0, unresolved: 0 });
  });
});
