/**
 * @module
 * A history may descend, and a page of it may be empty although there is more (F34). A bot that had applied its oldest
 * entry asked behind it, got such a page and then the end, and took the newest fill for never having been: the next one
 * moved the cursor past it, and it was lost for good (invariant I1).
 */
import { describe, expect, test } from 'vitest';
import { must, ProtocolError } from '../../src/core/index.ts';
import { type Cursor, compareCursors, type Seq } from '../../src/domain/index.ts';
import { type WalkGoal, walkHistory } from '../../src/wire/stream/index.ts';
import type { PageQuery, PageResult } from '../../src/wire/stream/ports.ts';

interface Entry {
  readonly id: Cursor;
}
type Page = Extract<PageResult<unknown>, { kind: 'page' }>;

const OLD = '1842-0-1' as Cursor;
const NEW = '2037-0-1' as Cursor;
/** Of a market that is not there any more. */
const UNREADABLE = '7-0-1' as Cursor;
const UPPER = '2141-65535-4294967295';
const FORCED: WalkGoal = { epoch: 'k1', minSeq: 2141n as Seq };
const LAGGED: WalkGoal = { epoch: 'k1', upper: UPPER };
const PAUSES_MAX = 5;

/** Walks a listing from the stored cursor; `odd` may answer in place of the listing. */
async function walked(
  listing: readonly Cursor[],
  goal: WalkGoal,
  odd: (query: PageQuery, page: Page) => Page | undefined,
) {
  const applied: Cursor[] = [];
  let pauses = 0;
  const isDescending = compareCursors(must(listing[0], 'an entry'), must(listing.at(-1), 'an entry')) > 0;
  const result = await walkHistory<Entry>(
    {
      read: async (query) => {
        const { after, limit } = query;
        const rest = listing.filter(
          (id) => after === undefined || compareCursors(id, after) * (isDescending ? -1 : 1) > 0,
        );
        const shown = rest.slice(0, limit);
        const page: Page = {
          kind: 'page',
          epoch: 'k1',
          upper: UPPER,
          next: shown.at(-1) ?? null,
          hasMore: rest.length > shown.length,
          entries: shown.map((id) => ({ id })),
        };
        return odd(query, page) ?? page;
      },
      decode: (raw) => {
        const entry = raw as Entry;
        if (entry.id !== UNREADABLE) return { ok: true, value: entry };
        return { ok: false, error: new ProtocolError({ code: 'X', message: 'no market', remedy: '' }) };
      },
      cursor: () => OLD,
      apply: (entries) => applied.push(...entries.map(({ id }) => id)),
      isCurrent: () => true,
      pause: async () => ++pauses <= PAUSES_MAX,
      progress: () => undefined,
    },
    goal,
  );
  return { kind: result.kind, applied: applied.filter((id) => compareCursors(id, OLD) > 0) };
}

describe.each([
  ['forced past a position', FORCED],
  ['up to the bound of a lag', LAGGED],
])('a walk %s, from the oldest entry of a descending history (I1, F34, A7)', (_name, goal) => {
  test('finds the newest fill although the first page behind the cursor is empty and has more', async () => {
    let isOdd = true;
    const found = await walked([NEW, OLD], goal, ({ after }, page) => {
      if (after === undefined || !isOdd) return undefined;
      isOdd = false;
      return { ...page, entries: [], next: OLD, hasMore: true };
    });
    expect(found).toEqual({ kind: 'done', applied: [NEW] });
  });

  test('finds it although pages behind the cursor show the entry of the cursor again', async () => {
    const found = await walked([NEW, OLD], goal, ({ after }, page) =>
      after === undefined ? undefined : { ...page, entries: [{ id: OLD }] },
    );
    expect(found).toEqual({ kind: 'done', applied: [NEW] });
  });

  test('asks for the head again when it shows nothing and has more', async () => {
    let isOdd = true;
    const found = await walked([NEW, OLD], goal, ({ after }, page) => {
      if (after !== undefined || !isOdd) return undefined;
      isOdd = false;
      return { ...page, entries: [], hasMore: true };
    });
    expect(found).toEqual({ kind: 'done', applied: [NEW] });
  });
});

const OLDEST = '9-0-1' as Cursor;

test.each([
  ['an ascending', [OLDEST, OLD]],
  ['a descending', [NEW, OLD, OLDEST]],
])(
  '%s history whose head shows no entry for good is read from there, and ends',
  async (_direction, listing) => {
    const hidden = must(listing[0], 'its head');
    const found = await walked(listing, FORCED, (_query, page) => ({
      ...page,
      entries: page.entries.filter((entry) => (entry as Entry).id !== hidden),
    }));
    expect(found).toEqual({ kind: 'done', applied: [] });
  },
);

test('an ascending history whose oldest entry cannot be decoded any more ends behind the cursor', async () => {
  const found = await walked([UNREADABLE, OLD], FORCED, () => undefined);
  expect(found).toEqual({ kind: 'done', applied: [] });
});
