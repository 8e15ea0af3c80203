/**
 * A part of `npm run prove -- crash --only file-steps,files`: the real journal in its steps J23 to J27, and on a disk that is
 * full (faults F50, F55; invariant I20).
 */
import { expect, test } from 'vitest';
import { loseInFiles } from '../../scripts/prove/crash/file-losses.ts';
import { fillDisks, killInFiles } from '../../scripts/prove/crash/files.ts';

test('a process killed in commits, checkpoints and the putting aside of a file leaves what it acknowledged', async () => {
  const { cases, violations, counts } = await killInFiles(1, 7);
  expect(violations).toEqual([]);
  expect(cases).toBe(5);
  expect(Object.keys(counts)).toEqual(['J23', 'J24', 'J25', 'J26', 'J27'].map((step) => `${step} crash`));
});

test('a power loss in the same steps leaves what was acknowledged', () => {
  const { cases, violations } = loseInFiles(12, 7);
  expect(violations).toEqual([]);
  expect(cases).toBe(60);
});

test('a disk that is full stops the journal by name, and what was acknowledged is there', async () => {
  const { cases, violations, counts } = await fillDisks(256);
  expect(violations).toEqual([]);
  expect(counts['grows: named JOURNAL_FAILED']).toBe(cases / 2 - 1);
  expect(counts['is put aside: named JOURNAL_UNWRITABLE']).toBeGreaterThan(0);
});
