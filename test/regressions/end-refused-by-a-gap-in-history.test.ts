import { expect, test } from 'vitest';
import { disturb, problemsOf, runWholeBot } from '../support/whole-bot.ts';

test('a gap in the history at the end of a run is waited for, not taken for the end', async () => {
  const run = await runWholeBot({
    seed: 4,
    forMs: 10_000,
    prepare: (world) => disturb(world, [{ kind: 'history gaps', atMs: 9_500, forMs: 6_000, strength: 1 }]),
  });
  expect(problemsOf(run)).toEqual([]);
});
