/**
 * Symptom: where the exchange rejected each schedule-cancel, its switch having fired as often a day as it may (ambiguity
 * A3), a start ended with `expected the dead man's switch to be armed, no reason is known`.
 */
import { expect, test } from 'vitest';
import { runWholeBot } from '../support/whole-bot.ts';

test('is named with the word of the exchange, and nothing is placed (obligations O78)', async () => {
  let placed = () => 0;
  const run = runWholeBot({
    seed: 6,
    forMs: 60_000,
    prepare: ({ exchange }, observed) => {
      // No trigger lies that far ahead: each is rejected.
      exchange.control.minSwitchLead({ lead: 3_600_000 });
      placed = () => observed.placedAtMs.length;
    },
  });
  await expect(run).rejects.toMatchObject({
    code: 'PREFLIGHT_SWITCH_NOT_ARMED',
    message: expect.stringContaining('the last schedule-cancel was rejected, InvalidScheduleCancel'),
  });
  expect(placed()).toBe(0);
});
