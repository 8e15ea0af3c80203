/** @module The wrong clients are still wrong clients: each change applies, and what it makes is still a program. */
import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { changed, changesOf } from '../../mutants/apply.ts';
import { MUTANTS } from '../../mutants/index.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const textOf = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

describe('a change', () => {
  const change = { file: 'src/a.ts', find: 'b', replace: 'c$&' };

  test('is made as it stands', () => {
    expect(changed('a b', change)).toBe('a c$&');
  });

  test('error: is refused when its text is not there', () => {
    expect(() => changed('a', change)).toThrow('expected this once in src/a.ts, got 0 times: b');
  });

  test('error: is refused when its text is there twice', () => {
    expect(() => changed('b b', change)).toThrow('got 2 times');
  });

  test('error: is refused when it changes nothing', () => {
    expect(() => changed('b', { ...change, replace: 'b' })).toThrow('expected a change');
  });
});

describe('the wrong clients', () => {
  test('are at least 80, each with a name of its own', () => {
    expect(MUTANTS.length).toBeGreaterThanOrEqual(80);
    expect(new Set(MUTANTS.map(({ id }) => id)).size).toBe(MUTANTS.length);
  });

  test('change production code alone', () => {
    const files = MUTANTS.flatMap(changesOf).map(({ file }) => file);
    expect(files.filter((file) => !file.startsWith('src/') || file.startsWith('src/exchange/'))).toEqual([]);
  });

  test.each(MUTANTS)('$id still applies and parses', (mutant) => {
    const changes = Map.groupBy(changesOf(mutant), ({ file }) => file);
    for (const [file, here] of changes) {
      const text = here.reduce(changed, textOf(file));
      expect(() => stripTypeScriptTypes(text)).not.toThrow();
    }
  });
});
