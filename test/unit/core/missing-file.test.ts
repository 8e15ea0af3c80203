/** Why a file cannot be read: the one that was most likely meant is named. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { whyUnreadable } from '../../../src/core/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'ballast-missing-'));
afterAll(() => rmSync(folder, { recursive: true }));
mkdirSync(join(folder, 'strategies', 'ladder'), { recursive: true });
writeFileSync(join(folder, 'maker.yaml'), '');
writeFileSync(join(folder, 'strategies', 'ladder', 'index.ts'), '');

const MISSING = Object.assign(new Error('ENOENT: no such file'), { code: 'ENOENT' });
const meant = (path: string): string => whyUnreadable(join(folder, path), MISSING);

test.each([
  ['maker.yml', 'maker.yaml'],
  ['makr.yaml', 'maker.yaml'],
  ['strategies/laddr/index.ts', 'strategies/ladder/index.ts'],
  ['strategys/ladder/index.ts', 'strategies/ladder/index.ts'],
])('%s: %s was meant', (path, other) => {
  expect(meant(path)).toBe(`there is none (did you mean ${join(folder, other)}?)`);
});

test.each(['nope.yaml', 'nowhere/maker.yaml', 'strategies/laddr/other.ts', 'maker.yaml/below'])(
  '%s: none is like it',
  (path) => expect(meant(path)).toBe('there is none'),
);

test('what the file system says of another fault is kept', () => {
  expect(whyUnreadable(folder, new Error('EACCES: permission denied'))).toBe('EACCES: permission denied');
});
