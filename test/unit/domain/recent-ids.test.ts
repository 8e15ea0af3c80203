/** @module The bounded memory of ids. */
import { expect, test } from 'vitest';
import { RecentIds } from '../../../src/domain/index.ts';

test('forgets the oldest id when it is full and says which', () => {
  const ids = new RecentIds<string>(2);
  expect([ids.add('a'), ids.add('b'), ids.add('c')]).toEqual([undefined, undefined, 'a']);
  expect([ids.has('a'), ids.has('c'), ids.size]).toEqual([false, true, 2]);
});

test('goes round: the oldest is always the one that is forgotten', () => {
  const ids = new RecentIds<number>(3);
  const forgotten = [1, 2, 3, 2, 4, 5, 6, 7].map((id) => ids.add(id));
  expect(forgotten).toEqual([undefined, undefined, undefined, undefined, 1, 2, 3, 4]);
  ids.clear();
  expect([ids.size, ids.add(1), ids.has(7)]).toEqual([0, undefined, false]);
});

test('error: a memory of nothing is refused', () => {
  expect(() => new RecentIds(0)).toThrow(/at least one id/);
});
