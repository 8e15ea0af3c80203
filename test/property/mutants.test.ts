/** @module The judging of wrong clients: one that is wrong is caught, one that is not wrong is not. */
import { describe, expect, test } from 'vitest';
import { MUTANTS } from '../mutants/index.ts';
import { judge } from '../mutants/judge.ts';
import type { Mutant } from '../mutants/mutant.ts';
import { trialsOf } from '../mutants/plans.ts';

const EFFORT = { directed: [1], general: [], timeoutMs: 60_000, workers: 1, say: () => undefined };

/** Long enough to quote, and to be compared with the exchange. */
const SHORT = { faults: {}, ambiguities: {}, faultsForMs: 5_000, healedForMs: 31_000 };

const HARMLESS: Mutant = {
  id: 'harmless',
  obligation: 'none',
  what: 'says the same in another way',
  file: 'src/bot/execution/fence.ts',
  find: 'export const FENCE_LEAD_MS = 1000;',
  replace: 'export const FENCE_LEAD_MS = 2 * 500;',
  hint: SHORT,
};

describe('judge', () => {
  test('catches a wrong client by an oracle', async () => {
    const wrong = MUTANTS.filter(({ id }) => id === 'send-before-durable').map((one) => ({
      ...one,
      hint: SHORT,
    }));
    const [verdict] = await judge(wrong, EFFORT);
    expect(verdict?.caughtBy?.violation).toMatch(/^I8 /);
    expect(verdict?.caughtBy?.invariants).toContain('I8');
  }, 60_000);

  test('does not count what breaks by the way', async () => {
    const wrong = MUTANTS.filter(({ id }) => id === 'send-before-durable').map((one) => ({
      ...one,
      breaks: ['I13'] as const,
      hint: SHORT,
    }));
    const [verdict] = await judge(wrong, EFFORT);
    expect(verdict).toMatchObject({ plans: 1, spoiled: 0 });
    expect(verdict?.caughtBy ?? verdict?.broken).toBeUndefined();
  }, 60_000);

  test('lets a right client live', async () => {
    const [verdict] = await judge([HARMLESS], EFFORT);
    expect(verdict).toMatchObject({ id: 'harmless', plans: 1, spoiled: 0 });
    expect(verdict?.caughtBy ?? verdict?.broken).toBeUndefined();
  }, 60_000);

  test('error: says when a client cannot be judged', async () => {
    const [verdict] = await judge([{ ...HARMLESS, find: 'not there' }], EFFORT);
    expect(verdict?.broken).toMatch(
      /did not start: Error: expected this once in src\/bot\/execution\/fence.ts/,
    );
  }, 60_000);
});

describe('trialsOf', () => {
  test('tries the hint first, then the plans of the seeds', () => {
    const hint = { faults: { F4: 1 } };
    const trials = [...trialsOf(hint, { directed: [1, 2], general: [1] })];
    expect(trials).toEqual([
      { seed: 1, hint },
      { seed: 2, hint },
      { seed: 1, hint: undefined },
    ]);
  });
});
