/**
 * Symptom: `TimeoutNegativeWarning` on standard error of a run that ended: what was waited for until a time that had passed
 * was waited for a negative time.
 */
import { setTimeout as later } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { SystemClock, untilDeadline } from '../../src/core/index.ts';

test('a deadline that has passed is over at once, without a warning', async () => {
  const warnings: string[] = [];
  const hear = ({ name }: Error): void => void warnings.push(name);
  process.on('warning', hear);
  onTestFinished(() => void process.off('warning', hear));
  const clock = new SystemClock();
  const began = clock.monotonicMs();
  expect(await untilDeadline(clock, began - 5_000, new Promise(() => undefined))).toBeUndefined();
  expect(await untilDeadline(clock, began - 5_000, Promise.resolve('there already'))).toBe('there already');
  // Warnings are told when the turn is over.
  await later(5);
  expect(warnings).toEqual([]);
  expect(clock.monotonicMs() - began).toBeLessThan(1_000);
});
