/** @module The catalogue of faults is whole: each is struck with, or stands elsewhere by name. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ELSEWHERE, loadRegistry } from '../../simulation/registry.ts';
import { ROOT } from '../../tidy/source.ts';

const CATALOGUE = Array.from({ length: 77 }, (_none, at) => `F${at + 1}`);

test('each fault from F1 to F77 is struck with or stands elsewhere, none in both', async () => {
  const struck = (await loadRegistry()).faults.map(({ id }) => id as string);
  expect([...struck, ...Object.keys(ELSEWHERE)].sort()).toEqual([...CATALOGUE].sort());
});

test('what stands for a fault names tests that are there', () => {
  for (const [id, why] of Object.entries(ELSEWHERE)) {
    const files = why.match(/test\/\S+\.test\.ts/g) ?? [];
    expect(files.length, id).toBeGreaterThan(0);
    for (const file of files) expect(existsSync(join(ROOT, file)), file).toBe(true);
  }
});
