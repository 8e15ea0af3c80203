/**
 * Symptom: code that a strategy imports in another form than a plain literal (a query, a comment before it, a name in a
 * variable, a link) was not covered by its hash: it could be changed, and ran. So could data (JSON, WASM), and what a
 * package, a thread or a process took from outside of all packages.
 */
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ballast } from '../support/ballast-process.ts';

/** How the strategy comes to the file `m.cjs`, `@` being its folder. */
const FORMS: readonly (readonly [string, string])[] = [
  ['a literal', "import './m.cjs';"],
  ['a query', "import './m.cjs?x=1';"],
  ['a fragment', "import './m.cjs#x';"],
  ['a comment before it', "import /* c */ './m.cjs';"],
  ['a name in a variable', "const n = './m.cjs'; await import(n);"],
  ['a template', "const n = 'm'; await import('./' + n + '.cjs');"],
  ['an escape', "import './\\x6d.cjs';"],
  ['an absolute path', "import '@/m.cjs';"],
  ['a URL', "import 'file://@/m.cjs';"],
  ['require', "import { createRequire } from 'node:module'; createRequire(import.meta.url)('./m.cjs');"],
  [
    'require under another name',
    "import * as m from 'node:module'; const r = m.createRequire(import.meta.url); r('./m.cjs');",
  ],
  ['a link', "import './link.cjs';"],
  ['a linked folder', "import './linked/m.cjs';"],
  ['a link into node_modules', "import 'pkg';"],
  ['a name of package.json', "import '#m';"],
  [
    'JSON',
    "import d from './d.json' with { type: 'json' }; import { writeFileSync } from 'node:fs'; writeFileSync('@/ran', d.v);",
  ],
  [
    'JSON by require',
    "import { createRequire } from 'node:module'; import { writeFileSync } from 'node:fs'; writeFileSync('@/ran', createRequire(import.meta.url)('./d' + '.json').v);",
  ],
  [
    'WASM',
    "import { v } from './d.wasm'; import { writeFileSync } from 'node:fs'; writeFileSync('@/ran', String(v.value));",
  ],
  ['a package that reaches out of its folder', "import 'reach';"],
  [
    'a thread',
    "import { once } from 'node:events'; import { Worker } from 'node:worker_threads'; await once(new Worker('@/m.cjs'), 'exit');",
  ],
  [
    'a process',
    "import { execFileSync } from 'node:child_process'; execFileSync(process.execPath, ['@/m.cjs']);",
  ],
];

/** A module with one global of type i32, `v`. */
const wasm = (value: number): Uint8Array =>
  Uint8Array.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...[6, 6, 1, 0x7f, 0, 0x41, value, 0x0b],
    ...[7, 5, 1, 1, 0x76, 3, 0],
  ]);

test.each(FORMS)('by %s', async (form, line) => {
  const folder = mkdtempSync(join(tmpdir(), 'ballast-pin-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const ran = join(folder, 'ran');
  const write = (value: string): void => {
    writeFileSync(join(folder, 'm.cjs'), `require('node:fs').writeFileSync('${ran}', '${value}');\n`);
    writeFileSync(join(folder, 'd.json'), JSON.stringify({ v: value }));
    writeFileSync(join(folder, 'd.wasm'), wasm(value.length));
  };
  write('read');
  mkdirSync(join(folder, 'node_modules', 'reach'), { recursive: true });
  writeFileSync(join(folder, 'node_modules', 'reach', 'index.js'), "require('../../m.cjs');\n");
  symlinkSync(join(folder, 'm.cjs'), join(folder, 'link.cjs'));
  symlinkSync(folder, join(folder, 'linked'));
  symlinkSync(folder, join(folder, 'node_modules', 'pkg'));
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ name: 'x', type: 'module', main: './m.cjs', imports: { '#m': './m.cjs' } }),
  );
  writeFileSync(
    join(folder, 's.ts'),
    `import { defineStrategy, param } from 'ballast/strategy';
${line.replaceAll('@', folder)}
export default defineStrategy({ name: 'p', parameters: param.object({}), create: () => ({}) });
`,
  );
  const check = async (sha256: string) => {
    const config = {
      environment: { name: 'sim' },
      markets: [{ symbol: 'BTC-USD' }],
      strategies: [{ name: 'p', module: './s.ts', sha256, markets: ['BTC-USD'] }],
      risk: { capital: '1000' },
    };
    writeFileSync(join(folder, 'c.yaml'), JSON.stringify(config));
    return ballast(['config', 'check', 'c.yaml', '--json'], { cwd: folder });
  };
  const first = await check('any');
  expect(first.exitCode, first.stderr).toBe(0);
  expect(existsSync(ran)).toBe(true);
  const { sha256 } = JSON.parse(first.stdout).strategies[0];
  rmSync(ran);
  write('changed');
  const second = await check(sha256);
  expect(second.exitCode).toBe(78);
  expect(second.stderr).toMatch(/sha256|STRATEGY_IMPORT_UNPINNED/);
  expect(existsSync(ran)).toBe(false);
  if (form !== 'a literal') return;
  write('read');
  expect(await check(sha256)).toMatchObject({ exitCode: 0 });
});
