/**
 * @module
 * An ordered stop ends in bounded time when the exchange does not answer any more, by name (invariant I27): the switch
 * has emptied the book by then, and nothing can say so.
 */
import { expect, test } from 'vitest';
import type { VirtualClock } from '../../src/core/index.ts';
import { runWholeBot } from '../support/whole-bot.ts';

test.each([
  { what: 'just now', goneForMs: 1_000, stopMsMax: 30_000 },
  { what: 'so long ago that switch and lanes are over', goneForMs: 90_000, stopMsMax: 20_000 },
])('ends within its bounds when the exchange went $what', async ({ goneForMs, stopMsMax }) => {
  const forMs = 20_000 + goneForMs;
  let clock: VirtualClock | undefined;
  const run = runWholeBot({
    seed: 3,
    forMs,
    prepare: (world) => {
      ({ clock } = world);
      world.clock.after(forMs - goneForMs, () => {
        const fault = { kind: 'dropRequest' } as const;
        world.exchange.control.disturb({ fault, times: Number.POSITIVE_INFINITY, matches: () => true });
        world.exchange.control.dropFrames();
      });
    },
  });
  await expect(run).rejects.toMatchObject({
    code: 'VERIFICATION_UNREADABLE',
    message: expect.stringContaining('it is not proven that no order is open'),
  });
  expect((clock?.monotonicMs() ?? 0) - forMs).toBeLessThan(stopMsMax);
});
