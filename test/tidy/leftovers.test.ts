import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ROOT } from './source.ts';

const tracked = execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8' })
  .split('\n')
  .filter(Boolean);

describe('leftovers', () => {
  test('no test is skipped for good or runs alone', () => {
    const found = tracked
      .filter((path) => /^test\/.*\.test\.ts$/.test(path) && !path.startsWith('test/tidy/'))
      .filter((path) =>
        /\b(?:test|describe|it)\.(?:only|skip|todo)\(/.test(readFileSync(join(ROOT, path), 'utf8')),
      );
    expect(found).toEqual([]);
  });

  test('the lock file holds no download address', () => {
    expect(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')).not.toMatch(/"resolved": "http/);
  });

  test('every version in package.json is exact', () => {
    const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Record<
      string,
      Record<string, string>
    >;
    const loose = ['dependencies', 'optionalDependencies', 'devDependencies'].flatMap((group) =>
      Object.entries(manifest[group] ?? {}).filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version)),
    );
    expect(loose).toEqual([]);
  });

  test('every package has its job written down', () => {
    const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Record<
      string,
      Record<string, string>
    >;
    const page = readFileSync(join(ROOT, 'docs', 'dependencies.md'), 'utf8');
    const silent = ['dependencies', 'optionalDependencies', 'devDependencies'].flatMap((group) =>
      Object.keys(manifest[group] ?? {}).filter((name) => !page.includes(`\`${name}\``)),
    );
    expect(silent).toEqual([]);
  });

  test('documents link to files that exist', () => {
    const broken: string[] = [];
    for (const path of tracked.filter((one) => one.endsWith('.md'))) {
      const text = readFileSync(join(ROOT, path), 'utf8');
      for (const match of text.matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)(?:#[^)]*)?\)/g)) {
        const target = join(path, '..', match[1] ?? '').replaceAll('\\', '/');
        const isThere =
          tracked.includes(target) || tracked.some((one) => one.startsWith(`${target.replace(/\/$/, '')}/`));
        if (!isThere) broken.push(`${path}: ${match[1]}`);
      }
    }
    expect(broken).toEqual([]);
  });
});
