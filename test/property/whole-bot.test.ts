import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  DISTURBANCES,
  DISTURBED_SETTINGS,
  type Disturbance,
  disturb,
  problemsOf,
  runWholeBot,
} from '../support/whole-bot.ts';

const FOR_MS = 75_000;
/** After this nothing is disturbed any more; the budget's window may end up to a minute later. */
const CALM_AT_MS = 45_000;

const aDisturbance: fc.Arbitrary<Disturbance> = fc.record({
  kind: fc.constantFrom(...DISTURBANCES),
  atMs: fc.integer({ min: 2_000, max: 33_000 }),
  forMs: fc.integer({ min: 200, max: 12_000 }),
  strength: fc.integer({ min: 1, max: 100 }).map((percent) => percent / 100),
});
const aLatency = fc.record({
  requestMs: fc.integer({ min: 0, max: 40 }),
  answerMs: fc.integer({ min: 0, max: 40 }),
  frameMs: fc.integer({ min: 0, max: 40 }),
  journalMs: fc.integer({ min: 0, max: 10 }),
});

describe('a whole bot under any plan of disturbances', () => {
  test('breaks no invariant and ends proven once all is calm (I1, I2, I4, I5, I7, I11, I13)', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 100_000 }),
        fc.array(aDisturbance, { minLength: 1, maxLength: 8 }),
        aLatency,
        async (seed, plan, latency) => {
          const run = await runWholeBot({
            seed,
            forMs: FOR_MS,
            latency,
            settings: DISTURBED_SETTINGS,
            prepare: (world) => {
              disturb(world, plan);
              world.clock.after(CALM_AT_MS, () => world.exchange.control.calm());
            },
          });
          expect(problemsOf(run)).toEqual([]);
        },
      ),
      { numRuns: 6, interruptAfterTimeLimit: 150_000 },
    );
  }, 180_000);
});
