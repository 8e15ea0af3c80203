/** docs/architecture.md is the map of the sources: what it names exists, and its table is the rule that is checked. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ROOMS } from './rules.ts';
import { ROOT } from './source.ts';

const page = readFileSync(join(ROOT, 'docs', 'architecture.md'), 'utf8');
const section = (title: string): string => page.split(`\n## ${title}\n`)[1]?.split('\n## ')[0] ?? '';

/** The longest that a path may be, in files; a path may only become shorter. */
const PATHS = { 'The path of a frame': 14, 'The path of an intent': 33, 'The path of a fill': 25 };
/** Files that a path meets twice, as the page explains. */
const MET_TWICE = ['src/bot/kernel/intent-router.ts'];

describe('docs/architecture.md', () => {
  test('names files and folders that exist', () => {
    const named = [...page.matchAll(/`((?:src|test|bot|wire|domain|docs)\/[\w./-]+)`/g)].map(
      ([, path = '']) => path,
    );
    expect(named.length).toBeGreaterThan(100);
    const isThere = (path: string) => existsSync(join(ROOT, path)) || existsSync(join(ROOT, 'src', path));
    expect(named.filter((path) => !isThere(path))).toEqual([]);
  });

  test('has a row for each room, with its floor and what it may import', () => {
    const rows = [...section('Rooms').matchAll(/^\| (\d+) \| `([^`]+)`( S)? \| [^|]+ \| ([^|]+) \|$/gm)].map(
      ([, floor, room, isSynchronous, imports = '']) => ({
        floor: Number(floor),
        room,
        isSynchronous: isSynchronous !== undefined,
        mayImport: [...imports.matchAll(/`([^`]+)`/g)].map(([, name]) => name).toSorted(),
      }),
    );
    const rules = Object.entries(ROOMS).map(([room, { floor, isSynchronous, mayImport }]) => ({
      floor,
      room,
      isSynchronous: isSynchronous === true,
      mayImport: mayImport.toSorted(),
    }));
    const byRoom = (a: { room?: string | undefined }, b: { room?: string | undefined }) =>
      (a.room ?? '').localeCompare(b.room ?? '');
    expect(rows.toSorted(byRoom)).toEqual(rules.toSorted(byRoom));
  });

  test.each(Object.entries(PATHS))('%s has at most %i files, each once', (title, most) => {
    const files = [...section(title).matchAll(/^\| \d+ \| `([^`]+)` \|/gm)].map(([, path = '']) => path);
    expect(files.length).toBeGreaterThan(10);
    expect(files.length).toBeLessThanOrEqual(most);
    const twice = files.filter((path, at) => files.indexOf(path) !== at && !MET_TWICE.includes(path));
    expect(twice).toEqual([]);
  });
});
