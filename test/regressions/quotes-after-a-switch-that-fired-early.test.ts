import { describe, expect, test } from 'vitest';
import { must } from '../../src/core/index.ts';
import { problemsOf, runWholeBot } from '../support/whole-bot.ts';

describe('a switch that fires before the time that the bot knows', () => {
  test('is armed again before an order rests again (O79, I11)', async () => {
    const run = await runWholeBot({
      seed: 4,
      forMs: 40_000,
      prepare: ({ clock, exchange, accountId }) => {
        for (const atMs of [11_300, 17_900, 26_450])
          clock.after(atMs, () => void exchange.control.fireDeadMansSwitch({ account: accountId }).wasArmed);
      },
    });
    expect(run.report.switch.fired).toBeGreaterThanOrEqual(3);
    expect(problemsOf(run)).toEqual([]);
    expect(must(run.observed.placedAtMs.at(-1), 'an order')).toBeGreaterThan(0);
  });
});
