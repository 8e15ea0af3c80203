/** @module The bounded memory of ids. */
import { expect, test } from 'vitest';
import { RecentIds } from '../../../src/domain/index.ts';

test('forgets the oldest id when it is full and says which', () => {
  const ids = new RecentIds<string>(2);
  expect([ids.add('a'), ids.add('b'), ids.add('c')]).toEqual([undefined, undefined, 'a']);
  expect([ids.has('a'), ids.has('c'), ids.size]).toEqual([false, true, 2]);
});

test('error: a memory of nothing is refused', () => {
  expect(() => new RecentIds(0)).toThrow(/at least one id/);
});
