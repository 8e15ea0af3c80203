import { describe, expect, test } from 'vitest';
import { EntryLog } from '../../../../src/exchange/state/entry-log.ts';

const key = (seq: number, idx = 0) => ({ seq, sub: 0, idx });

describe('EntryLog', () => {
  test('compares identities as numbers, part by part (GW-PAGES)', () => {
    const log = new EntryLog<{ seq: number; sub: number; idx: number }>(100);
    for (const seq of [2, 9, 10, 100]) for (const idx of [0, 9, 10]) log.push(key(seq, idx));
    const page = log.page({ after: key(9, 9), upper: key(10, 9), limit: 10 });
    expect(page.rows.map(({ seq, idx }) => [seq, idx])).toEqual([
      [9, 10],
      [10, 0],
      [10, 9],
    ]);
    expect(page.hasMore).toBe(false);
  });

  test('says that more follows only when it does within the bound', () => {
    const log = new EntryLog<{ seq: number; sub: number; idx: number }>(100);
    for (let seq = 1; seq <= 5; seq++) log.push(key(seq));
    const ask = (limit: number, upper: number) => log.page({ after: undefined, upper: key(upper), limit });
    expect([ask(3, 3).hasMore, ask(3, 4).hasMore, ask(5, 9).hasMore]).toEqual([false, true, false]);
    expect(ask(5, 0)).toEqual({ rows: [], hasMore: false });
  });

  test('drops the oldest rows past its maximum and knows which', () => {
    const evicted: number[] = [];
    const log = new EntryLog<{ seq: number; sub: number; idx: number }>(10, ({ seq }) => evicted.push(seq));
    for (let seq = 1; seq <= 40; seq++) log.push(key(seq));
    expect(log.size).toBeLessThanOrEqual(13);
    expect(log.evictedUpTo?.seq).toBe(40 - log.size);
    expect(evicted).toEqual(Array.from({ length: 40 - log.size }, (_none, i) => i + 1));
    expect(log.newest(2).map(({ seq }) => seq)).toEqual([40, 39]);
  });

  test('refuses a row that comes too late', () => {
    const log = new EntryLog<{ seq: number; sub: number; idx: number }>(10);
    log.push(key(5));
    expect(() => log.push(key(4))).toThrow('rows in order of identity');
  });
});
