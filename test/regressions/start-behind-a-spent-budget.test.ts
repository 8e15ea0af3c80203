/**
 * Symptom: a bot that was started when a request budget of its minute was spent gave up after 10 or 30 s, with the window
 * still shut: `PREFLIGHT_LEVERAGE_INVALID`, as if the configuration were wrong and nothing had been sent, or
 * `PREFLIGHT_NOT_RECONCILED`. Each new start would have spent the next window as well (obligations O116 and O117).
 */
import { describe, expect, test } from 'vitest';
import { EXIT, exitCodeOf } from '../../src/cli/terminal/exit-codes.ts';
import {
  DISTURBED_SETTINGS,
  type Disturbance,
  disturb,
  problemsOf,
  runWholeBot,
} from '../support/whole-bot.ts';

const FOR_MS = 75_000;

describe('a start behind a spent budget', () => {
  test.each([
    ['of the account: the leverage is set when there is room', 0.01, [16, 40, 0, 6]],
    ['of the address: the account is reconciled when there is room', 0.51, [31, 35, 25, 9]],
  ] as const)('%s', async (_what, strength, [requestMs, answerMs, frameMs, journalMs]) => {
    const window = { atMs: 2_000, forMs: 200 };
    const plan: Disturbance[] = [
      { kind: 'budget exhausted', ...window, strength },
      { kind: 'answers lost after commit', ...window, strength: 0.01 },
    ];
    const run = await runWholeBot({
      seed: 0,
      forMs: FOR_MS,
      latency: { requestMs, answerMs, frameMs, journalMs },
      settings: DISTURBED_SETTINGS,
      prepare: (world) => disturb(world, plan),
    });
    expect(problemsOf(run)).toEqual([]);
    expect(run.observed.placedAtMs.length).toBeGreaterThan(0);
  });

  test('that stays shut forever ends, and says that the outcome is not known', async () => {
    // Every answer to a write is lost and no receipt is to be had: nothing proves what became of the leverage.
    const started = runWholeBot({
      seed: 0,
      forMs: FOR_MS,
      settings: DISTURBED_SETTINGS,
      prepare: ({ exchange }) =>
        exchange.control.disturb({
          fault: { kind: 'dropResponse' },
          times: Number.POSITIVE_INFINITY,
          matches: ({ path }) => path.startsWith('/v1/account/leverage') || path.startsWith('/v1/requests/'),
        }),
    });
    const error = await started.catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'PREFLIGHT_LEVERAGE_UNPROVEN', effect: 'unknown' });
    expect(exitCodeOf(error)).toBe(EXIT.unreachable);
  });
});
