import { describe, expect, test } from 'vitest';
import { ShownEntries } from '../../../../src/wire/stream/market/shown-entries.ts';

const LISTS_MAX = 4;
const RECENT_MAX = 64;

function shownOf(...places: readonly number[]): ShownEntries<number> {
  const shown = new ShownEntries<number>((one, other) => one - other);
  for (const place of places) shown.show(place);
  return shown;
}

/** How many lists that end there it takes until one settles the doubt. */
function listsUntilSettled(shown: ShownEntries<number>, end: number | undefined): number {
  for (let lists = 1; lists <= 10; lists++) if (shown.settle(end)) return lists;
  throw new Error('it never settled');
}

describe('entries of a public history', () => {
  test('are shown once, and none after a newer one', () => {
    const shown = shownOf(3);
    expect([3, 2, 4, 4, 5].map((place) => shown.show(place))).toEqual([false, false, true, false, true]);
    expect(shown.newest).toBe(5);
  });

  test('are remembered one by one for a while', () => {
    const shown = shownOf(...Array.from({ length: RECENT_MAX + 1 }, (_, at) => at));
    expect([0, 1, RECENT_MAX].map((place) => shown.has(place))).toEqual([false, true, true]);
  });

  test('need no list where nothing is doubted', () => {
    const shown = shownOf(1, 9);
    expect(shown.settle(undefined)).toBe(true);
    expect(shown.newest).toBe(9);
  });
});

describe('a doubted place', () => {
  test('is believed when the list has it, at once', () => {
    const shown = shownOf(1, 9);
    shown.doubt();
    expect(listsUntilSettled(shown, 9)).toBe(1);
    expect([shown.newest, shown.isDoubted]).toEqual([9, false]);
  });

  test('is believed when a later list has it: the first were of a replica that is late', () => {
    const shown = shownOf(1, 9);
    shown.doubt();
    expect([shown.settle(1), shown.settle(undefined), shown.settle(10)]).toEqual([false, false, true]);
    expect(shown.newest).toBe(9);
  });

  test('is given up for the last entry that the list reaches', () => {
    const shown = shownOf(1, 5, 900);
    shown.doubt();
    expect(listsUntilSettled(shown, 7)).toBe(LISTS_MAX);
    expect([shown.newest, shown.show(6), shown.show(5)]).toEqual([5, true, false]);
  });

  test('is given up with all that came before, if the list reaches nothing of it: another ledger', () => {
    const shown = shownOf(100, 200);
    shown.doubt();
    expect(listsUntilSettled(shown, 3)).toBe(LISTS_MAX);
    expect([shown.newest, shown.show(4)]).toEqual([undefined, true]);
  });

  test('is not shown again after a list that was late for too long', () => {
    const shown = shownOf(1, 5, 9);
    shown.doubt();
    expect(listsUntilSettled(shown, 4)).toBe(LISTS_MAX);
    expect([shown.show(5), shown.show(9), shown.show(10)]).toEqual([false, false, true]);
  });
});
