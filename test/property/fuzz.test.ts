import { describe, expect, test } from 'vitest';
import { corpusOf, emptyCount, feedCorpus, feedFresh, fuzzTargets } from '../fuzz/fuzz.ts';

/** The same inputs with every change; `npm run prove -- fuzz` draws others. */
const SEED = 20_261_122;
const FRESH = 1500;
/** Reading YAML takes milliseconds. */
const FRESH_CONFIGURATIONS = 200;
const TARGETS = await fuzzTargets();

describe(`malformed input (seed ${SEED})`, () => {
  test.each(TARGETS.map((target) => [target.name, target] as const))(
    'of %s: nothing is thrown, and nothing invalid is taken',
    async (name, target) => {
      const fresh = name === 'configuration' ? FRESH_CONFIGURATIONS : FRESH;
      const count = emptyCount();
      await feedCorpus(target, count);
      await feedFresh(target, { seed: SEED, count: fresh }, count);
      expect(
        count.wrong,
        `again: npm run prove -- fuzz --only '${name}' --seed ${SEED} --count ${fresh}`,
      ).toEqual([]);
      expect(count.inputs).toBe(corpusOf(name).length + fresh);
      expect(count.refused, 'inputs that were hostile enough').toBeGreaterThan(fresh / 10);
      expect(count.accepted, 'inputs that were close enough').toBeGreaterThan(0);
    },
  );

  test.each(TARGETS.map((target) => [target.name, target] as const))(
    'of %s: the samples it is made from are taken',
    async (_name, target) => {
      const outcomes = await Promise.all(target.samples().map((text) => target.feed(text)));
      const refused = outcomes.filter(({ kind }) => kind === 'refused');
      expect(refused.length).toBeLessThan(target.samples().length);
    },
  );
});
