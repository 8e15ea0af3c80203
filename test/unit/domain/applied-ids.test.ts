/** @module Applied fills and ledger entries by place: the same answers as a memory that looks each of them up. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AppliedIds } from '../../../src/domain/applied-ids.ts';
import { type Cursor, compareCursors, RecentIds } from '../../../src/domain/index.ts';

/** The long way: every id is looked up in a set. */
class LookedUpIds {
  readonly #recent: RecentIds<Cursor>;
  #floor: Cursor | undefined;

  constructor(sizeMax: number) {
    this.#recent = new RecentIds(sizeMax);
  }

  take(id: Cursor): boolean {
    if (this.#recent.has(id)) return false;
    if (this.#floor !== undefined && compareCursors(id, this.#floor) <= 0) return false;
    const forgotten = this.#recent.add(id);
    if (forgotten !== undefined && (this.#floor === undefined || compareCursors(forgotten, this.#floor) > 0))
      this.#floor = forgotten;
    return true;
  }

  clear(): void {
    this.#recent.clear();
    this.#floor = undefined;
  }
}

const part = fc.nat({ max: 6 });
const aPlace = fc.oneof(
  { weight: 12, arbitrary: fc.tuple(part, part, part).map((parts) => parts.join('-')) },
  { weight: 1, arbitrary: fc.constantFrom('7', '3-1', '03-1-2', '99999999999999999999-0-0', '2-0-0-1') },
);

test('an id is applied once, whatever order ids come in', () => {
  const step = fc.oneof({ weight: 40, arbitrary: aPlace }, { weight: 1, arbitrary: fc.constant(undefined) });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 12 }), fc.array(step, { maxLength: 80 }), (sizeMax, steps) => {
      const ids = new AppliedIds(sizeMax);
      const slow = new LookedUpIds(sizeMax);
      const takeAll = (from: Pick<AppliedIds, 'take' | 'clear'>) =>
        steps.map((id) => (id === undefined ? from.clear() : from.take(id as Cursor)));
      expect(takeAll(ids)).toEqual(takeAll(slow));
    }),
    { numRuns: 200 },
  );
});

test('ids in order are all new, and known when they come again', () => {
  const ids = new AppliedIds(100);
  const all = Array.from({ length: 250 }, (_none, at) => `${Math.floor(at / 3) + 9}-0-${at % 3}` as Cursor);
  expect(all.every((id) => ids.take(id))).toBe(true);
  expect(all.some((id) => ids.take(id))).toBe(false);
});
