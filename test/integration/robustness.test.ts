/** A study of robustness over a tape, on threads: repeated to the byte, and each run of it can be made alone. */
import { afterAll, describe, expect, test } from 'vitest';
import { parseConfig, withParameters } from '../../src/config/index.ts';
import { jsonOfRun } from '../../src/report/index.ts';
import { runConfiguredBacktest } from '../../src/research/backtest/index.ts';
import { prepareRobustness, robustnessOf } from '../../src/research/sweep/index.ts';
import { configText, sweepScene } from '../support/sweep-scene.ts';

const scene = sweepScene(1);
afterAll(() => scene.remove());

const RUNS = 10;
// A queue, and numbers that can be moved.
const TEXT = configText()
  .replace('fillModel: trade-through', 'fillModel: queue-power')
  .replace('levels: 1', 'levels: 2');
const studied = async (seed: number, workers: number, text = TEXT) => {
  const given = { source: parseConfig(text, scene.config), tape: scene.tape };
  const actual = await runConfiguredBacktest({ ...given, seed });
  const robustness = await robustnessOf({ ...given, actual, runs: RUNS, workers });
  return { actual, robustness };
};

/** Made once. */
let made: ReturnType<typeof studied> | undefined;
const study = () => (made ??= studied(3, 2));

describe('a study of robustness', () => {
  test('of one seed is one document, whatever the number of threads; of another seed another', async () => {
    const one = await study();
    const two = await studied(3, 1);
    const text = ({ actual, robustness }: typeof one) =>
      JSON.stringify(jsonOfRun({ ...actual.record, robustness }));
    expect(text(two)).toBe(text(one));
    expect((await studied(4, 2)).robustness).not.toEqual(one.robustness);
    const { seed, kinds, unmoved } = one.robustness;
    expect(seed).toBe(3);
    expect(kinds.map(({ kind, runs }) => [kind, runs.length])).toEqual([
      ['parameters', RUNS],
      ['delays', RUNS],
      ['missedFills', RUNS],
    ]);
    expect(kinds.flatMap(({ runs }) => runs.flatMap(({ failure }) => failure ?? []))).toEqual([]);
    expect(unmoved).toContainEqual({ parameter: 'ladder.levels', why: 'a tenth of 2 is less than one step' });
    // Each kind did something, and each run of it something else.
    const { actual } = one;
    for (const { kind, runs } of kinds) {
      const hashes = new Set(runs.map(({ decisionHash }) => decisionHash));
      expect([kind, hashes.has(actual.decisionHash)]).toEqual([kind, false]);
      expect([kind, hashes.size]).toEqual([kind, RUNS]);
    }
  });

  test('has runs that a backtest with their parameters makes again', async () => {
    const { robustness } = await study();
    const run = robustness.kinds[0]?.runs[4];
    const set = Object.entries(run?.parameters ?? {}).map((pair) => pair.join('='));
    expect(set.length).toBeGreaterThan(4);
    // As `ballast backtest --set` does.
    const source = withParameters(parseConfig(TEXT, scene.config), set);
    const alone = await runConfiguredBacktest({ source, tape: scene.tape, seed: 3 });
    expect(run?.decisionHash).toBe(alone.decisionHash);
  });

  test('error: a backtest that is another the second time is no ground for one', async () => {
    const given = { source: parseConfig(TEXT, scene.config), tape: scene.tape };
    const actual = { ...(await runConfiguredBacktest({ ...given, seed: 3 })), decisionHash: 'f'.repeat(64) };
    await expect(robustnessOf({ ...given, actual, runs: RUNS, workers: 2 })).rejects.toMatchObject({
      code: 'ROBUSTNESS_NOT_REPEATABLE',
    });
  });

  test('error: without a number that can be moved nothing is run, and each parameter is named', async () => {
    const module = JSON.stringify(new URL('../support/no-number.ts', import.meta.url).pathname);
    const text = TEXT.replace(/module: .*/, `module: ${module}`).replace(
      /parameters: \{.*\}/,
      'parameters: { mode: fast }',
    );
    const given = { source: parseConfig(text, scene.config), tape: scene.tape };
    await expect(prepareRobustness(given)).rejects.toMatchObject({
      code: 'ROBUSTNESS_NO_PARAMETER',
      message:
        'expected a number among the parameters of the strategies that can be moved, got none (ladder.mode: no number (choice))',
    });
  });
});
