import { describe, expect, test } from 'vitest';
import { DISTURBED_SETTINGS, disturb, runWholeBot } from '../support/whole-bot.ts';

describe('an order that finds no room in the request budget', () => {
  test('is given back, and does not leave when the window ends and the switch has fired (I11)', async () => {
    const { observed, report } = await runWholeBot({
      seed: 347,
      forMs: 75_000,
      latency: { requestMs: 7, answerMs: 19, frameMs: 25, journalMs: 6 },
      settings: DISTURBED_SETTINGS,
      prepare: (world) =>
        // Refused once, everybody waits until the minute is over.
        disturb(world, [{ kind: 'budget exhausted', atMs: 5_795, forMs: 11_174, strength: 0.71 }]),
    });
    expect(observed.fired).toBeGreaterThan(0);
    expect(observed.breaks).toEqual([]);
    expect(report).toMatchObject({ reconciled: true, openOrders: 0, unresolved: 0 });
  });
});
