import { expect, test } from 'vitest';
import { Kept, type KeptLine, keepingLog } from '../../../../src/bot/operator/kept.ts';
import { silentLog } from '../../../../src/core/index.ts';

test('a reader gets each entry once, in order, and is told how many it has missed', () => {
  const kept = new Kept<number>(10);
  for (let at = 0; at < 5; at++) kept.add(at);
  expect(kept.page(undefined, 3)).toEqual({ entries: [2, 3, 4], next: 5, missed: 0 });
  expect(kept.page(5, 3)).toEqual({ entries: [], next: 5, missed: 0 });
  for (let at = 5; at < 100; at++) kept.add(at);
  const late = kept.page(5, 1_000);
  expect(late.missed).toBeGreaterThan(0);
  expect(late.entries).toEqual(
    Array.from({ length: 100 - 5 - late.missed }, (_, at) => 5 + late.missed + at),
  );
  expect(late.entries.length).toBeGreaterThanOrEqual(10);
  const seen: number[] = [];
  for (let next = late.next - late.entries.length, page = kept.page(next, 4); page.entries.length > 0; ) {
    seen.push(...page.entries);
    next = page.next;
    page = kept.page(next, 4);
  }
  expect(seen).toEqual(late.entries);
  // A number of another run is beyond the end.
  expect(kept.page(1_000, 4)).toEqual({ entries: [], next: 100, missed: 0 });
});

test('lines keep what the children of a log add, and not the level debug', () => {
  const lines = new Kept<KeptLine>(10);
  const log = keepingLog(silentLog, lines, () => 7);
  log.debug('no');
  log.child({ strategy: 'maker' }).child({ part: 1 }).warn('yes', { more: 2 });
  expect(lines.page(0, 10).entries).toEqual([
    { atMs: 7, level: 'warn', message: 'yes', fields: { strategy: 'maker', part: 1, more: 2 } },
  ]);
});
