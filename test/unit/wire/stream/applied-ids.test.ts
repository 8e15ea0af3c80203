/** @module Applied fills and ledger entries by their places in history: the same answers as a list of all of them. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Cursor, compareCursors } from '../../../../src/domain/index.ts';
import { AppliedIds } from '../../../../src/wire/stream/cursors.ts';

/** The long way: everything is kept, and what was settled is a bound. */
class ListedIds {
  #ids: Cursor[] = [];
  #floor: Cursor | undefined;

  get newest(): Cursor | undefined {
    return [...this.#ids, ...(this.#floor === undefined ? [] : [this.#floor])].sort(compareCursors).at(-1);
  }

  take(id: Cursor): boolean {
    const isBelow = this.#floor !== undefined && compareCursors(id, this.#floor) <= 0;
    if (isBelow || this.#ids.includes(id)) return false;
    this.#ids.push(id);
    return true;
  }

  settle(): void {
    this.#floor = this.newest;
  }

  resumeAt(cursor: Cursor | undefined): void {
    this.#ids = [];
    this.#floor = cursor;
  }
}

const part = fc.nat({ max: 6 });
const place = fc.tuple(part, part, part).map((parts) => parts.join('-') as Cursor);
const step = fc.oneof(
  { weight: 30, arbitrary: place.map((id) => (ids: ListedIds | AppliedIds) => ids.take(id)) },
  { weight: 2, arbitrary: fc.constant((ids: ListedIds | AppliedIds) => ids.settle()) },
  {
    weight: 1,
    arbitrary: fc.option(place, { nil: undefined }).map((id) => (ids: ListedIds | AppliedIds) => {
      ids.resumeAt(id);
    }),
  },
);

test('an id is new once, whatever order ids come in, and never below what was settled', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
      const [ids, slow] = [new AppliedIds(), new ListedIds()];
      for (const take of steps) {
        expect(take(ids)).toBe(take(slow));
        expect(ids.newest).toBe(slow.newest);
      }
    }),
    { numRuns: 200 },
  );
});

test('with a short memory an id is still new once: what is forgotten counts as applied', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 12 }), fc.array(place, { maxLength: 80 }), (recentMax, all) => {
      const ids = new AppliedIds(recentMax);
      const taken = all.filter((id) => ids.take(id));
      expect(new Set(taken).size).toBe(taken.length);
    }),
    { numRuns: 200 },
  );
});

test('ids in order are all new with a short memory, and known when they come again', () => {
  const ids = new AppliedIds(100);
  const all = Array.from({ length: 250 }, (_none, at) => `${Math.floor(at / 3) + 9}-0-${at % 3}` as Cursor);
  expect(all.every((id) => ids.take(id))).toBe(true);
  expect(all.some((id) => ids.take(id))).toBe(false);
});
