/** @module Applied fills and ledger entries by their places in history: the same answers as a list of all of them. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Cursor, compareCursors, type Seq, seqOfCursor } from '../../../../src/domain/index.ts';
import { AppliedIds } from '../../../../src/wire/stream/cursors.ts';

/** The long way: everything is kept, and what was proven is a bound. */
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

  prove(seq: Seq): void {
    const all = [...this.#ids, ...(this.#floor === undefined ? [] : [this.#floor])];
    const last = all
      .filter((id) => seqOfCursor(id) <= seq)
      .sort(compareCursors)
      .at(-1);
    if (last !== undefined && (this.#floor === undefined || compareCursors(last, this.#floor) > 0))
      this.#floor = last;
  }

  resumeAt(cursor: Cursor | undefined): void {
    this.#ids = [];
    this.#floor = cursor;
  }

  resume({ ids, proven }: { ids: readonly Cursor[]; proven: Cursor | undefined }): void {
    this.#ids = [...ids];
    this.#floor = proven;
  }
}

const part = fc.nat({ max: 6 });
const place = fc.tuple(part, part, part).map((parts) => parts.join('-') as Cursor);
const step = fc.oneof(
  { weight: 30, arbitrary: place.map((id) => (ids: ListedIds | AppliedIds) => ids.take(id)) },
  {
    weight: 2,
    arbitrary: part.map((seq) => (ids: ListedIds | AppliedIds) => ids.prove(BigInt(seq) as Seq)),
  },
  {
    weight: 1,
    arbitrary: fc.option(place, { nil: undefined }).map((id) => (ids: ListedIds | AppliedIds) => {
      ids.resumeAt(id);
    }),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.array(place, { minLength: 1, maxLength: 6 }), fc.boolean())
      .map(([ids, isProven]) => (applied: ListedIds | AppliedIds) => {
        const sorted = [...ids].sort(compareCursors);
        const proven = isProven ? sorted[Math.floor(sorted.length / 2)] : undefined;
        applied.resume({ ids, newest: sorted.at(-1), proven });
      }),
  },
);

test('an id is new once, whatever order ids come in, and never below what was proven', () => {
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

test('an entry that was lost is new again once the ids are reopened, and the others are known', () => {
  const ids = new AppliedIds(4);
  const all = Array.from({ length: 20 }, (_none, at) => `${at + 1}-0-0` as Cursor);
  const lost = all[7] as Cursor;
  for (const id of all) if (id !== lost) ids.take(id);
  expect(ids.take(lost)).toBe(false);
  ids.reopen(all.filter((id) => id !== lost));
  expect(all.filter((id) => ids.take(id))).toEqual([lost]);
  ids.prove(12n as Seq);
  expect(ids.proven).toBe('12-0-0');
  expect(ids.newest).toBe('20-0-0');
  expect(all.some((id) => ids.take(id))).toBe(false);
});

test('entries are read again from a place after the last one before it, or after the floor', () => {
  const at = (seq: number): Cursor => `${seq}-0-0` as Cursor;
  const ids = new AppliedIds();
  expect(ids.lastBefore(9n as Seq)).toBeUndefined();
  ids.resumeAt(at(2));
  for (const seq of [7, 4, 3]) ids.take(at(seq));
  expect([8, 7, 5, 3, 1].map((seq) => ids.lastBefore(BigInt(seq) as Seq))).toEqual([7, 4, 4, 2, 2].map(at));
});

test('an entry is remembered by its own id until it is folded into the floor', () => {
  const at = (seq: number): Cursor => `${seq}-0-0` as Cursor;
  const ids = new AppliedIds();
  for (const seq of [1, 2, 4]) ids.take(at(seq));
  expect([1, 2, 3, 4].map((seq) => ids.remembers(at(seq)))).toEqual([true, true, false, true]);
  ids.prove(2n as Seq);
  expect([1, 2, 3, 4].map((seq) => ids.remembers(at(seq)))).toEqual([false, false, false, true]);
});

describe('where a comparison with the exchange begins', () => {
  const at = (seq: number): Cursor => `${seq}-0-0` as Cursor;

  test('at the beginning of a history that was not read, whatever the stream has brought', () => {
    const ids = new AppliedIds();
    ids.take(at(3));
    expect(ids.compareAfter).toBeUndefined();
  });

  test('after the last entry up to which it was read, and then after the last that was compared', () => {
    const ids = new AppliedIds();
    for (const seq of [1, 2, 6]) ids.take(at(seq));
    ids.noteRead(5n as Seq);
    expect(ids.compareAfter).toBe(at(2));
    ids.take(at(8));
    expect(ids.compareAfter).toBe(at(2));
    ids.prove(7n as Seq);
    expect(ids.compareAfter).toBe(at(6));
  });

  test('after the last that a run before has compared: what was lost behind it is new', () => {
    const ids = new AppliedIds();
    ids.resume({ ids: [1, 2, 4, 5].map(at), newest: at(5), proven: at(2) });
    expect([ids.compareAfter, ids.newest]).toEqual([at(2), at(5)]);
    expect([1, 2, 3, 4, 5].map(at).filter((id) => ids.take(id))).toEqual([at(3)]);
  });

  test('at the beginning where a run before has compared nothing', () => {
    const ids = new AppliedIds(2);
    ids.resume({ ids: [1, 2, 4, 5, 6].map(at), newest: at(6), proven: undefined });
    expect(ids.compareAfter).toBeUndefined();
    expect([1, 2, 3, 4, 5, 6].map(at).filter((id) => ids.take(id))).toEqual([at(3)]);
  });
});
