/** The page of features names commands, keys, exports, options, codes and pages: each of them exists. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { isNameThatExists } from '../support/documented-names.ts';
import { ROOT } from '../tidy/source.ts';

const textOf = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const PAGE = 'docs/reference/features.md';
const codes = textOf('docs/reference/denials.md');

const rows = textOf(PAGE)
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| Feature |'))
  .map((line) => {
    const [, feature = '', where = ''] = line.split('|').map((cell) => cell.trim());
    return { feature, where };
  });

test('each feature has a place, and each name on the page exists', () => {
  const lacking = rows.filter(({ where }) => where.includes('Not yet')).map(({ feature }) => feature);
  process.stdout.write(
    `${rows.length} features, ${lacking.length} not or not wholly there: ${lacking.join('; ')}\n`,
  );
  expect(rows.length).toBeGreaterThanOrEqual(105);
  const wrong = rows.flatMap(({ feature, where }) => {
    const names = [...where.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
    const pages = [...where.matchAll(/\]\(([^)]+)\)/g)].map(([, page = '']) => page);
    const controls = where.match(/\b[PM]\d+\b/g) ?? [];
    if (names.length + pages.length + controls.length === 0 && !where.startsWith('Not yet'))
      return [`${feature}: nothing is named`];
    return [
      ...names.filter((name) => !isNameThatExists(name)),
      ...pages.filter((page) => !existsSync(join(ROOT, dirname(PAGE), page))),
      ...controls.filter((code) => !new RegExp(`\\| ${code} `).test(codes)),
    ].map((name) => `${feature}: ${name}`);
  });
  expect(wrong).toEqual([]);
});
