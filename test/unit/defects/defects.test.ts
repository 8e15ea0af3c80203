/** @module The wrong exchanges are still wrong: each change applies, and what it makes is still a program. */
import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { RULES } from '../../../src/conformance/index.ts';
import { DEFECTS } from '../../defects/index.ts';
import { changed, changesOf } from '../../mutants/apply.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const textOf = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

describe('the wrong exchanges', () => {
  test('are at least 40, each with a name of its own', () => {
    expect(DEFECTS.length).toBeGreaterThanOrEqual(40);
    expect(new Set(DEFECTS.map(({ id }) => id)).size).toBe(DEFECTS.length);
  });

  test('change the exchange and what it is made of, never the suite that judges it', () => {
    const files = DEFECTS.flatMap(changesOf).map(({ file }) => file);
    expect(files.filter((file) => !/^src\/(?:exchange|wire\/protocol)\//.test(file))).toEqual([]);
  });

  test.each(DEFECTS)('$id still applies and parses, and names a check', (defect) => {
    expect(RULES).toHaveProperty(defect.check);
    const changes = Map.groupBy(changesOf(defect), ({ file }) => file);
    for (const [file, here] of changes) {
      const text = here.reduce(changed, textOf(file));
      expect(() => stripTypeScriptTypes(text)).not.toThrow();
    }
  });
});
