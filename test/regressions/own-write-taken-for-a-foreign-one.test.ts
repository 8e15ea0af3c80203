import { describe, expect, test } from 'vitest';
import { DISTURBED_SETTINGS, disturb, runWholeBot } from '../support/whole-bot.ts';

describe('a new ledger that a write of ours has already used', () => {
  test('is not begun at the nonce of a replica that is behind, which would make that write a foreign one', async () => {
    const { observed, report, world } = await runWholeBot({
      seed: 582,
      forMs: 40_000,
      latency: { requestMs: 17, answerMs: 38, frameMs: 32, journalMs: 4 },
      settings: DISTURBED_SETTINGS,
      prepare: (made) =>
        disturb(made, [
          { kind: 'replica lag', atMs: 14_055, forMs: 4_300, strength: 0.52 },
          { kind: 'new epoch', atMs: 14_108, forMs: 1_000, strength: 0.47 },
        ]),
    });
    expect(report).toMatchObject({ reconciled: true, openOrders: 0, unresolved: 0 });
    const startMs = world.clock.nowMs() - world.clock.monotonicMs();
    expect(observed.placedAtMs.some((atMs) => atMs > startMs + 35_000)).toBe(true);
  });
});
