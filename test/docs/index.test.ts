/** docs/README.md is the way into the pages: each one is linked from it, and each link of each page leads somewhere. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../tidy/source.ts';

const pages = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'], {
  cwd: ROOT,
  encoding: 'utf8',
})
  .split('\n')
  .filter((path) => path !== '' && !path.startsWith('templates/') && !path.startsWith('test/'));

/** Paths from the root that a page links to, without anchors. */
function linksOf(page: string): readonly string[] {
  const text = readFileSync(join(ROOT, page), 'utf8').replaceAll(/^```.*?^```/gms, '');
  return [...text.matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)(?:#[^)\s]*)?\)/g)].map(([, target = '']) =>
    normalize(join(dirname(page), target)).replaceAll('\\', '/'),
  );
}

test('the index links to each page below docs', () => {
  const linked = new Set(linksOf('docs/README.md'));
  const lacking = pages.filter((page) => page.startsWith('docs/') && page !== 'docs/README.md');
  expect(lacking.filter((page) => !linked.has(page))).toEqual([]);
});

test('the README and the first pages link to the index and to the glossary', () => {
  expect(linksOf('README.md')).toEqual(expect.arrayContaining(['docs/README.md', 'docs/glossary.md']));
  expect(linksOf('docs/getting-started.md')).toContain('docs/README.md');
});

test('each link of each page leads to a file or a folder', () => {
  expect(pages.length).toBeGreaterThan(90);
  const broken = pages.flatMap((page) =>
    linksOf(page)
      .filter((target) => !existsSync(join(ROOT, target)))
      .map((target) => `${page}: ${target}`),
  );
  expect(broken).toEqual([]);
});

test('the glossary has each word once', () => {
  const words = [...readFileSync(join(ROOT, 'docs', 'glossary.md'), 'utf8').matchAll(/^\| ([^|]+) \| /gm)]
    .flatMap(([, cell = '']) => cell.split(/[,;] /))
    .map((word) => word.trim())
    .filter((word) => word !== 'Word');
  expect(words.length).toBeGreaterThan(60);
  expect(words.filter((word, at) => words.indexOf(word) !== at)).toEqual([]);
});
