/**
 * Symptoms: a pipe in place of a configuration, a mapping, a key, a strategy or what it imports waited for its writer; a
 * sparse file was read whole, and so was a device behind --key-fd; an alias of what it stands in and sixty thousand unknown
 * keys took minutes.
 */
import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { filesOfStrategy, hashOfStrategy } from '../../src/bot/setup/index.ts';
import { askSecret } from '../../src/cli/terminal/secret-prompt.ts';
import { loadImportMapping, loadOperatorDocument, parseConfig, readKeyFile } from '../../src/config/index.ts';
import { loadConfig } from '../../src/config/load.ts';
import { messageOf } from '../../src/core/index.ts';

function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'ballast-special-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function said(work: () => unknown): string {
  try {
    work();
    return '';
  } catch (thrown) {
    return messageOf(thrown);
  }
}

/** The files of a strategy that imports the file at `path`; a folder is no module, and the loader says so. */
function importing(path: string): unknown {
  const file = join(aFolder(), 's.ts');
  symlinkSync(path, join(dirname(file), 'm.ts'));
  writeFileSync(file, "import './m.ts';\n");
  const files = filesOfStrategy(file);
  if (path.startsWith('/dev/')) return files;
  throw new Error(`not a regular file: ${files.join()}`);
}

test.each([
  ['a configuration', loadConfig],
  ['a mapping', loadImportMapping],
  ['a document', loadOperatorDocument],
  ['a key', readKeyFile],
  ['a strategy', hashOfStrategy],
  ['what a strategy imports', importing],
])('%s that is a pipe, a device, a folder or a giant is refused unopened', (_what, read) => {
  const folder = aFolder();
  const [pipe, giant] = [join(folder, 'pipe'), join(folder, 'giant')];
  execFileSync('mkfifo', ['-m', '600', pipe]);
  writeFileSync(giant, '', { mode: 0o600 });
  truncateSync(giant, 100_000_000_000);
  for (const path of [pipe, giant, '/dev/zero', folder])
    expect(said(() => read(path))).toMatch(
      /not a regular file|more than|got something else|got 100000000000 bytes|of user|EISDIR/,
    );
});

test('a device without an end is no key: --key-fd reads no more than a key has', async () => {
  const descriptor = openSync('/dev/zero', 'r');
  onTestFinished(() => closeSync(descriptor));
  await expect(askSecret('key: ', descriptor)).rejects.toMatchObject({ code: 'CONFIG_SECRET_UNREADABLE' });
});

test.each([
  ['&a [*a]', 'markets[0]'],
  ['&a [{ symbol: BTC-USD, x: *a }]', 'markets[0].x'],
  ['[{ symbol: { a: &b { c: { d: *b } } } }]', 'markets[0].symbol.a.c.d'],
])('an alias of what it stands in is a finding: %s', (markets, key) => {
  expect(said(() => parseConfig(`markets: ${markets}`, '/a.yaml'))).toMatch(
    new RegExp(
      `a\\.yaml:1:\\d+: ${key.replaceAll(/[.[\]]/g, '\\$&')}: expected a value that ends, got an alias`,
    ),
  );
});

test('an alias that is used twice is none', () => {
  const text = 'environment: &e { name: sim }\nrisk: *e\nmarkets: [*e, *e]';
  expect(said(() => parseConfig(text, '/a.yaml'))).not.toContain('a value that ends');
});

test.each([
  ['unknown keys', (at: number) => `k${at}: 1`, 'expected at most 50 errors at a time, got 59954 more'],
  ['repeated keys', (at: number) => `k${at % 30_000}: 1`, 'Map keys must be unique'],
])('sixty thousand %s are a finding', (_what, line, expected) => {
  const text = Array.from({ length: 60_000 }, (_, at) => line(at)).join('\n');
  const beganAt = performance.now();
  const words = said(() => parseConfig(text, '/a.yaml'));
  expect(words).toContain(expected);
  expect(words.length).toBeLessThan(20_000);
  // A second where nothing else runs.
  expect(performance.now() - beganAt).toBeLessThan(5_000);
});

test.each(['__proto__: { name: sim }', 'risk: { __proto__: 5 }', 'strategies: [{ __proto__: 5 }]'])(
  '__proto__ is an unknown key: %s',
  (text) => {
    expect(said(() => parseConfig(text, '/a.yaml'))).toContain('__proto__: expected a known key');
  },
);
