import { expect, test } from 'vitest';
import { untilDeadline, VirtualClock } from '../../../src/core/index.ts';

test.each([
  ['resolves', () => Promise.resolve(7)],
  ['rejects', () => Promise.reject(new Error('no answer'))],
])('no timer is left of a deadline whose work %s', async (_how, work) => {
  const clock = new VirtualClock(0);
  await untilDeadline(clock, 10_000, work()).catch(() => undefined);
  expect(clock.nextAtMs()).toBeUndefined();
});

test('a deadline that comes first gives nothing', async () => {
  const clock = new VirtualClock(0);
  const waited = untilDeadline(clock, 10_000, new Promise<number>(() => undefined));
  await clock.advanceAsync(10_000);
  expect(await waited).toBeUndefined();
});
