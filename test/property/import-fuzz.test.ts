/** @module Mutilated recordings of each format: a tape is right, or refused, or says what is different. */
import { describe, expect, test } from 'vitest';
import { fuzzImports, judge } from '../support/import-fuzz/judge.ts';
import { SAMPLES, type SampleName } from '../support/import-fuzz/sample.ts';
import { WAYS } from '../support/import-fuzz/ways.ts';

/** The same recordings with every change; `npm run prove -- import-fuzz` draws others. */
const SEED = 20_261_126;
/** Of each kind of recording; each takes its turn where the one before ended, so that all ways come up. */
const COUNT = 10;
const NAMES = Object.keys(SAMPLES) as readonly SampleName[];

describe(`mutilated recordings (seed ${SEED})`, () => {
  test('come in at least thirty ways', () => {
    expect(Object.keys(WAYS).length).toBeGreaterThanOrEqual(30);
    expect(NAMES.length * COUNT).toBeGreaterThan(2 * Object.keys(WAYS).length);
  });

  test.each(NAMES.map((name, index) => [name, index] as const))(
    'of %s become no wrong tape without a word',
    async (name, index) => {
      const tally = await fuzzImports(name, SEED, { count: COUNT, from: index * COUNT });
      expect(tally.wrong, `again: npm run prove -- import-fuzz --only '${name}' --seed ${SEED}`).toEqual([]);
      expect(tally.right + tally.refused + tally.told).toBe(COUNT);
      expect(tally.right, 'recordings that can be read all the same').toBeGreaterThan(0);
    },
  );

  test('are judged wrong when what they say is not what was recorded', async () => {
    expect(await judge('csv trades', 'semicolons', 'a', () => ['T 1 1 1 buy'])).toMatchObject({
      verdict: 'wrong',
    });
  });
});
