import { expect, test } from 'vitest';
import { errorAnswer } from '../simulation/faults/exchange-support.ts';
import { disturb, problemsOf, runWholeBot } from '../support/whole-bot.ts';

test('a gap in the history at the end of a run is waited for, not taken for the end', async () => {
  const run = await runWholeBot({
    seed: 4,
    forMs: 10_000,
    prepare: (world) => disturb(world, [{ kind: 'history gaps', atMs: 9_500, forMs: 6_000, strength: 1 }]),
  });
  expect(problemsOf(run)).toEqual([]);
});

/** The books were read eight times a second for as long as their history was not written yet. */
test('while the history is not complete, the end of a run asks for it once a second (O118, I29)', async () => {
  const askedAtMs: number[] = [];
  const run = runWholeBot({
    seed: 4,
    forMs: 10_000,
    prepare: (world) => {
      const { exchange, clock } = world;
      const endsAtMs = clock.monotonicMs() + 9_000;
      const handle = exchange.handle.bind(exchange);
      exchange.handle = async (request) => {
        if (!request.path.includes('/account/fills?') || clock.monotonicMs() < endsAtMs)
          return await handle(request);
        askedAtMs.push(clock.monotonicMs());
        return errorAnswer(400, 'HistoryNotComplete');
      };
    },
  });
  await expect(run).rejects.toThrow(/account to be readable/);
  const inSeconds = (count: number): number =>
    askedAtMs.filter((atMs) => atMs >= (askedAtMs[0] ?? 0) + 1_000 * count).length;
  expect(askedAtMs.length).toBeGreaterThan(10);
  expect(inSeconds(2) - inSeconds(12)).toBeLessThanOrEqual(11);
});
