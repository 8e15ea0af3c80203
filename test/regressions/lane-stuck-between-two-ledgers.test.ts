import { describe, expect, test } from 'vitest';
import { DISTURBED_SETTINGS, disturb, runWholeBot } from '../support/whole-bot.ts';

describe('a new ledger while the replica that serves reads is far behind', () => {
  test('is not left for the old one again, and a nonce that the old one used is passed over (I18)', async () => {
    const { observed, report, world } = await runWholeBot({
      seed: 407,
      forMs: 60_000,
      latency: { requestMs: 10, answerMs: 40, frameMs: 11, journalMs: 10 },
      settings: DISTURBED_SETTINGS,
      prepare: (world) =>
        disturb(world, [
          { kind: 'replica lag', atMs: 17_089, forMs: 11_974, strength: 0.93 },
          { kind: 'new epoch', atMs: 25_037, forMs: 1_000, strength: 0.08 },
          { kind: 'requests lost', atMs: 20_816, forMs: 8_955, strength: 0.43 },
        ]),
    });
    expect(report).toMatchObject({ reconciled: true, openOrders: 0, unresolved: 0 });
    const startMs = world.clock.nowMs() - world.clock.monotonicMs();
    expect(observed.placedAtMs.some((atMs) => atMs > startMs + 55_000)).toBe(true);
  });
});
