/**
 * Comments, pages and messages cite only what the repository holds. A page is cited by its name (`exchange.md#nonces`)
 * or its path; a denial by its control (`denials.md P16`); an obligation by its number (O12).
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ROOT } from './source.ts';

const files = execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8' }).split('\n');
const tracked = files
  .filter((path) => /\.(?:ts|mjs|md|yaml|json)$/.test(path))
  .filter((path) => path !== 'package-lock.json' && !path.endsWith('citations.test.ts'));
const texts = new Map(tracked.map((path) => [path, readFileSync(join(ROOT, path), 'utf8')]));
const pages = tracked.filter((path) => path.endsWith('.md'));

/** Documents that were never part of the repository, and the ids of their sections. */
const ELSEWHERE = [
  /wire[- ]facts/i,
  /risk-and-keys/,
  /test-layers/,
  /peers-and-features/,
  /gateway-interface/,
  /\bdecisions? [A-D]\d/i,
  /\bperformance [A-D]\d/,
  /\bhouse \d/,
  /\becosystem T\d/,
  /\bobligations? \d/,
  /\bissues? #?\d/i,
];

/** The anchors of a page's headings, as GitHub makes them. */
function anchorsOf(text: string): Set<string> {
  const headings = [...text.matchAll(/^#{1,6} (.+)$/gm)].map(([, title]) => title ?? '');
  return new Set(
    headings.map((title) =>
      title
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

/** What `pattern` finds in `paths`, as "path: match". */
function found(
  paths: readonly string[],
  pattern: RegExp,
  isWrong: (match: RegExpMatchArray, path: string) => boolean,
) {
  return paths.flatMap((path) =>
    [...(texts.get(path) ?? '').matchAll(pattern)]
      .filter((match) => isWrong(match, path))
      .map((match) => `${path}: ${match[0]}`),
  );
}

describe('citations', () => {
  test.each(ELSEWHERE)('%s is cited nowhere', (pattern) => {
    expect(found(tracked, new RegExp(pattern, `${pattern.flags}g`), () => true)).toEqual([]);
  });

  test('pages and anchors that code cites exist', () => {
    const code = tracked.filter((path) => /\.(?:ts|mjs|yaml)$/.test(path) && !path.startsWith('test/'));
    const named = (name: string): string[] =>
      pages.filter((page) => page === name || page.endsWith(`/${name.replace(/^(?:\.\.?\/)+/, '')}`));
    const missing = found(code, /(?<![\w./-])(?:docs\/[\w/-]+|[a-z][\w-]+)\.md(?:#[a-z-]+)?/g, ([cited]) => {
      const [name = '', anchor] = cited.split('#');
      return !named(name).some(
        (page) => anchor === undefined || anchorsOf(texts.get(page) ?? '').has(anchor),
      );
    });
    expect(missing).toEqual([]);
  });

  test('files and folders that text names by their path exist', () => {
    const isThere = (named: string) =>
      files.includes(named) || files.some((path) => path.startsWith(`${named.replace(/\/$/, '')}/`));
    const missing = found(
      tracked,
      /`((?:src|test|scripts|bench|docs|strategies|configs|backtest)\/[\w./-]+)`/g,
      ([, path = '']) => !isThere(path),
    );
    expect(missing).toEqual([]);
  });

  test('anchors that pages link to exist', () => {
    const missing = found(
      pages,
      /\]\((?!https?:)([^)#\s]*)#([^)\s]+)\)/g,
      ([, target = '', anchor = ''], path) => {
        const page = target === '' ? path : join(path, '..', target).replaceAll('\\', '/');
        return !anchorsOf(texts.get(page) ?? '').has(anchor);
      },
    );
    expect(missing).toEqual([]);
  });

  test('controls that are cited by number are listed', () => {
    const listed = texts.get('docs/reference/denials.md') ?? '';
    const missing = found(
      tracked,
      /denials\.md ([PM]\d+)/g,
      ([, id]) => !new RegExp(`\\| ${id} \\|`).test(listed),
    );
    expect(missing).toEqual([]);
  });

  test('obligations that are cited by number are listed', () => {
    const listed = texts.get('docs/reference/interface-rules.md') ?? '';
    expect(listed).not.toBe('');
    const missing = found(
      tracked,
      /[oO]bligations? (O\d+)/g,
      ([, id]) => !new RegExp(`^\\| ${id} \\|`, 'm').test(listed),
    );
    expect(missing).toEqual([]);
  });
});
