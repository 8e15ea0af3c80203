import { describe, expect, test } from 'vitest';
import { must, ProtocolError } from '../../../../src/core/index.ts';
import { type Cursor, compareCursors, type Seq } from '../../../../src/domain/index.ts';
import type { Decoded } from '../../../../src/wire/protocol/index.ts';
import { type WalkGoal, walkHistory } from '../../../../src/wire/stream/account/history-walk.ts';
import type { PageQuery, PageResult } from '../../../../src/wire/stream/ports.ts';

interface Entry {
  readonly id: Cursor;
}

const UPPER = '900-65535-4294967295';
const id = (n: number) => `${n}-0-0` as Cursor;

/** A history served page by page, as strictly as the interface has it. */
class Server {
  readonly asked: PageQuery[] = [];
  readonly ids: Cursor[];
  readonly isDescending: boolean;
  readonly pageSize: number;
  /** Answers in place of the next ones. */
  readonly instead: (PageResult<unknown> | undefined)[] = [];

  constructor(count: number, { isDescending = false, pageSize = 3 } = {}) {
    // Positions that change their number of digits: as text they would be out of order.
    this.ids = Array.from({ length: count }, (_none, i) => id(5 + i * 3));
    this.isDescending = isDescending;
    this.pageSize = pageSize;
  }

  answer(query: PageQuery): PageResult<unknown> {
    this.asked.push(query);
    const instead = this.instead.shift();
    if (instead !== undefined) return instead;
    const isLater = query.after !== undefined;
    if (isLater && (query.epoch !== 'k1' || query.upper !== UPPER))
      throw new Error('400: bounds are missing');
    const sorted = [...this.ids].sort((a, b) => (this.isDescending ? -1 : 1) * compareCursors(a, b));
    const after = query.after;
    const rest =
      after === undefined
        ? sorted
        : sorted.filter((entry) => compareCursors(entry, after) * (this.isDescending ? -1 : 1) > 0);
    const shown = rest.slice(0, Math.min(this.pageSize, query.limit ?? 200));
    return {
      kind: 'page',
      epoch: 'k1',
      upper: UPPER,
      next: shown.at(-1) ?? null,
      hasMore: rest.length > shown.length,
      entries: shown.map((entry) => ({ id: entry })),
    };
  }
}

async function walk(server: Server, { start, goal }: { start?: Cursor; goal?: Partial<WalkGoal> } = {}) {
  const applied: Cursor[] = [];
  const rounds: number[] = [];
  const pauses: string[] = [];
  const result = await walkHistory<Entry>(
    {
      read: async (query) => server.answer(query),
      decode: (raw): Decoded<Entry> =>
        raw === null
          ? { ok: false, error: new ProtocolError({ code: 'X', message: 'no entry', remedy: '' }) }
          : { ok: true, value: raw as Entry },
      cursor: () => start,
      isCurrent: () => true,
      apply: (entries) => {
        rounds.push(entries.length);
        for (const entry of entries) if (!applied.includes(entry.id)) applied.push(entry.id);
      },
      pause: async (why) => {
        pauses.push(why);
        return pauses.length < 20;
      },
      progress: () => undefined,
    },
    { epoch: 'k1', minSeq: 100n as Seq, ...goal },
  );
  return { result, applied, rounds, pauses };
}

describe.each([
  ['ascending', false],
  ['descending', true],
])('a walk over an %s history (A7)', (_name, isDescending) => {
  test.each([0, 1, 2, 3, 4, 7, 40])(
    'without a cursor brings all of %i entries (O105, O106)',
    async (count) => {
      const server = new Server(count, { isDescending });
      const { result, applied } = await walk(server);
      expect(result).toEqual({ kind: 'done', upper: UPPER });
      expect(applied).toEqual(server.ids);
      expect(server.asked[0]).toEqual({ limit: 1000, minSeq: 100n });
    },
  );

  test.each([0, 1, 5, 11, 12])('from entry %i of 12 on brings what lies behind it', async (index) => {
    const server = new Server(12, { isDescending });
    const start = server.ids[index] ?? id(900);
    const { result, applied } = await walk(server, { start });
    expect(result.kind).toBe('done');
    const behind = server.ids.filter((entry) => compareCursors(entry, start) > 0);
    expect(applied.filter((entry) => compareCursors(entry, start) > 0)).toEqual(behind);
  });

  test('after lagged uses the bound it was told and no other (O99, O100)', async () => {
    const server = new Server(12, { isDescending });
    const start = server.ids[4] ?? id(0);
    const { applied } = await walk(server, { start, goal: { upper: UPPER } });
    expect(server.asked[0]).toEqual({ after: start, epoch: 'k1', upper: UPPER, limit: 1000 });
    const behind = server.ids.slice(5);
    expect(applied.filter((entry) => compareCursors(entry, start) > 0)).toEqual(behind);
  });
});

describe('a walk', () => {
  test('an empty page before older entries does not hide that the listing descends (F34, A7)', async () => {
    const server = new Server(20, { isDescending: true });
    const start = must(server.ids[10], 'an id');
    const empty = {
      kind: 'page',
      epoch: 'k1',
      upper: UPPER,
      next: start,
      hasMore: true,
      entries: [],
    } as const;
    server.instead.push(undefined, empty);
    const { applied, result } = await walk(server, { start });
    expect(result.kind).toBe('done');
    expect(applied).toEqual(expect.arrayContaining(server.ids.slice(11)));
  });

  test('a lag behind the oldest entry of a descending listing is walked from its head (A7)', async () => {
    const server = new Server(6, { isDescending: true });
    const { applied } = await walk(server, { start: must(server.ids[0], 'an id'), goal: { upper: UPPER } });
    expect(applied).toEqual(expect.arrayContaining(server.ids.slice(1)));
  });

  test('applies ascending pages as they come, and descending ones in one go at the end', async () => {
    expect((await walk(new Server(9))).rounds).toEqual([3, 3, 3]);
    expect((await walk(new Server(9, { isDescending: true }))).rounds).toEqual([9]);
  });

  test('keeps the bounds of the first page in all others (O100)', async () => {
    const server = new Server(12);
    await walk(server);
    const later = server.asked.slice(1);
    expect(later).toHaveLength(3);
    expect(new Set(later.map(({ epoch, upper }) => `${epoch} ${upper}`))).toEqual(new Set([`k1 ${UPPER}`]));
    expect(later.map(({ after }) => after)).toEqual([server.ids[2], server.ids[5], server.ids[8]]);
  });

  test('repeats the same question while history is not complete (O101)', async () => {
    const server = new Server(7);
    const wait = { kind: 'retry', why: 'not yet complete' } as const;
    server.instead.push(undefined, wait, wait, wait);
    const { applied, pauses } = await walk(server);
    expect(applied).toEqual(server.ids);
    expect(pauses).toHaveLength(3);
    expect(new Set(server.asked.slice(1, 5).map((query) => JSON.stringify(query.after))).size).toBe(1);
  });

  test('does not believe a page whose cursor stands still or whose bound moved', async () => {
    const server = new Server(7);
    const stuck: PageResult<unknown> = {
      kind: 'page',
      epoch: 'k1',
      upper: UPPER,
      next: id(11),
      hasMore: true,
      entries: [],
    };
    server.instead.push(undefined, stuck, { ...stuck, next: id(14), upper: '901-65535-4294967295' });
    const { applied, pauses } = await walk(server);
    expect(applied).toEqual(server.ids);
    expect(pauses).toHaveLength(2);
  });

  test('goes on after an empty page that has more', async () => {
    const server = new Server(7);
    const empty: PageResult<unknown> = {
      kind: 'page',
      epoch: 'k1',
      upper: UPPER,
      next: id(12),
      hasMore: true,
      entries: [],
    };
    server.instead.push(undefined, empty);
    expect((await walk(server)).applied).toEqual(server.ids);
  });

  test('waits at an entry that cannot be read, and goes past it when it can', async () => {
    const server = new Server(5);
    server.instead.push(undefined, {
      kind: 'page',
      epoch: 'k1',
      upper: UPPER,
      next: id(17),
      hasMore: false,
      entries: [null],
    });
    const { applied, pauses } = await walk(server);
    expect(pauses).toEqual(['no entry']);
    expect(applied).toEqual(server.ids);
  });

  test('ends when the epoch changes, at the first page or at a later one (O107)', async () => {
    const server = new Server(5);
    server.instead.push(undefined, { kind: 'epochChanged' });
    expect((await walk(server)).result).toEqual({ kind: 'epochChanged' });
    expect((await walk(new Server(5), { goal: { epoch: 'k0' } })).result).toEqual({ kind: 'epochChanged' });
  });

  test('ends when nobody waits for it any more', async () => {
    const server = new Server(5);
    for (let i = 0; i < 30; i++) server.instead.push({ kind: 'retry', why: 'down' });
    expect((await walk(server)).result).toEqual({ kind: 'abandoned' });
  });
});
