/**
 * Symptoms: an error in a strategy named no line; one beside a package.json of `npm init`, and CommonJS, failed with a
 * remedy that did not fit; a top-level await of nothing ended with a line of Node, and `process.exit(0)` passed for good.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadGuarded } from '../../src/bot/setup/guarded-load.ts';
import { VirtualClock } from '../../src/core/index.ts';
import { type Ended, shellEnd } from '../support/ballast-process.ts';

const STRATEGY = "defineStrategy({ name: 'p', parameters: param.object({}), create: () => ({}) })";
const MODULE = `import { defineStrategy, param } from 'ballast/strategy';\nexport default ${STRATEGY};\n`;
const REQUIRE = "require('ballast/strategy')";
const COMMONJS = '{"name":"x","version":"1.0.0","type":"commonjs"}';

let folder = '';
/** What `config check` says of each configuration below, by the name of its module. */
let ends: ReadonlyMap<string, Ended>;

/** Files by their names; `module` is the strategy. */
const WRONG: readonly (readonly [
  what: string,
  module: string,
  files: Readonly<Record<string, string>>,
  error: RegExp,
  remedy: RegExp,
])[] = [
  [
    'wrong syntax in TypeScript',
    'a.ts',
    { 'a.ts': 'const a = 1;\nconst b: = 2;\n' },
    /SYNTAX_INVALID: .*a\.ts:2:\d+: /,
    /syntax/,
  ],
  [
    'wrong syntax in JavaScript',
    'b.mjs',
    { 'b.mjs': 'const a = 1;\n\nexport default {{;\n' },
    /SYNTAX_INVALID: .*b\.mjs:3:17: Unexpected token/,
    /syntax/,
  ],
  [
    'a name declared twice',
    'c.ts',
    { 'c.ts': `${MODULE}const a: number = 1;\nconst a = 2;\n` },
    /SYNTAX_INVALID: .*c\.ts:4:7: Identifier 'a'/,
    /syntax/,
  ],
  [
    'wrong syntax in an imported file',
    'd.ts',
    { 'd.ts': `import './lib/d.mjs';\n${MODULE}`, 'lib/d.mjs': '\n\tfoo bar\n' },
    /SYNTAX_INVALID: .*d\.ts to load, but .*lib\/d\.mjs:2:6: /,
    /syntax/,
  ],
  [
    'an enum',
    'e.ts',
    { 'e.ts': 'const a = 1;\n  enum B { c }\n' },
    /NOT_ERASABLE: .*e\.ts:2:3: /,
    /as const/,
  ],
  [
    'an export that is not there',
    'f.ts',
    { 'f.ts': "import { a } from './f2.ts';\n", 'f2.ts': 'export const b = 1;\n' },
    /IMPORT_MISSING: .*f\.ts:1:10: .*'a'/,
    /correct the name/,
  ],
  [
    'a type in a value import',
    'g.ts',
    { 'g.ts': "import {\n  StrategyContext,\n} from 'ballast/strategy';\n" },
    /IMPORT_MISSING: .*g\.ts:2:3: .*StrategyContext/,
    /import type/,
  ],
  [
    'a file that is not there',
    'h.ts',
    { 'h.ts': "// ./gone.ts\nimport { a } from './gone.ts';\n" },
    /IMPORT_MISSING: .*h\.ts:2:20: .*gone\.ts/,
    /extension/,
  ],
  [
    'a package that is not there',
    'i.ts',
    { 'i.ts': "\nimport a from 'no-such-package';\n" },
    /IMPORT_MISSING: .*i\.ts:2:16: .*no-such-package/,
    /Install/,
  ],
  [
    'an inner module of ballast',
    'j.ts',
    { 'j.ts': "import a from 'ballast/bot';\n" },
    /IMPORT_MISSING: .*j\.ts:1:16: /,
    /ballast\/strategy/,
  ],
  [
    'a folder',
    'k.ts',
    { 'k.ts': "import a from './lib';\n", 'lib/index.ts': '' },
    /IMPORT_MISSING: .*k\.ts:1:16: /,
    /extension/,
  ],
  [
    'JSON without its attribute',
    'l.ts',
    { 'l.ts': "import a from './l.json';\n", 'l.json': '{}' },
    /IMPORT_MISSING: .*l\.ts:1:16: /,
    /with \{ type: 'json' \}/,
  ],
  [
    'a throw at the top level',
    'm.ts',
    { 'm.ts': "const a = 1;\n  throw new Error('boom');\n" },
    /LOAD_FAILED: .*m\.ts:2:9: boom/,
    /runs as it is loaded/,
  ],
  [
    'a throw in an imported file',
    'n.ts',
    { 'n.ts': "import './n2.ts';\n", 'n2.ts': '\nnull!.toString();\n' },
    /LOAD_FAILED: .*n\.ts to load, but .*n2\.ts:2:7: /,
    /runs as it is loaded/,
  ],
  [
    'JSON that is parsed at the top level',
    'o.ts',
    { 'o.ts': "\nJSON.parse('{');\n" },
    /LOAD_FAILED: .*o\.ts:2:6: /,
    /runs as it is loaded/,
  ],
  [
    'a text that is thrown',
    'p.ts',
    { 'p.ts': "throw 'no';\n" },
    /LOAD_FAILED: .*p\.ts to load, but no/,
    /runs as it is loaded/,
  ],
  [
    'an error that a timer throws',
    'q.ts',
    { 'q.ts': "setTimeout(() => {\n  throw new Error('late');\n}, 5);\nawait new Promise(() => {});\n" },
    /LOAD_FAILED: .*q\.ts:2:9: late/,
    /runs as it is loaded/,
  ],
  [
    'a malformed name',
    'r.ts',
    { 'r.ts': MODULE.replace("'p'", "'A b'") },
    /NAME_INVALID: .*r\.ts:2:16: /,
    /Rename/,
  ],
  [
    'a strategy without create',
    's.ts',
    { 's.ts': MODULE.replace(', create: () => ({})', '') },
    /SCHEMA_INVALID: .*s\.ts:2:16: .*create/,
    /create:/,
  ],
  [
    'require in a module',
    't.mjs',
    { 't.mjs': `const a = ${REQUIRE};\nexport default a;\n` },
    /LOAD_FAILED: .*t\.mjs:1:11: require is not defined/,
    /\.cjs/,
  ],
  [
    'a package.json of npm init',
    'npm/u.ts',
    { 'npm/u.ts': MODULE, 'npm/package.json': COMMONJS },
    /SYNTAX_INVALID: .*u\.ts:1:1: /,
    /npm\/package\.json makes it CommonJS: write "type": "module" there, or name the file \.mts/,
  ],
  ['import in a .cjs', 'v.cjs', { 'v.cjs': MODULE }, /SYNTAX_INVALID: .*v\.cjs:1:1: /, /name it \.mjs/],
  [
    'a require of what is not there',
    'w.cjs',
    { 'w.cjs': "\nconst a = require('./gone.cjs');\n" },
    /IMPORT_MISSING: .*w\.cjs:2:20: /,
    /extension/,
  ],
  [
    'a process that is ended',
    'x.ts',
    { 'x.ts': '\nprocess.exit(0);\n' },
    /LOAD_FAILED: .*x\.ts:2:9: .*process\.exit/,
    /nothing more/,
  ],
  [
    'a process that is ended by an imported name',
    'y.ts',
    { 'y.ts': "import { exit } from 'node:process';\nexit(0);\n" },
    /LOAD_FAILED: .*y\.ts:2:1: .*process\.exit/,
    /nothing more/,
  ],
  [
    'a process that is ended later',
    'z.ts',
    { 'z.ts': 'setTimeout(() => process.exit(0), 5);\nawait new Promise(() => {});\n' },
    /LOAD_FAILED: .*z\.ts:1:26: .*process\.exit/,
    /nothing more/,
  ],
];

const GOOD: Readonly<Record<string, string>> = {
  'good.ts': MODULE,
  'npm/good.mts': MODULE,
  'by-hand.cjs': `const { defineStrategy, param } = ${REQUIRE};\nmodule.exports = ${STRATEGY};\n`,
  'by-member.cjs': `const s = ${REQUIRE};\nconst { param } = s;\nmodule.exports.default = s.${STRATEGY};\n`,
  'npm/compiled.js': `"use strict";\nObject.defineProperty(exports, "__esModule", { value: true });\nconst strategy_1 = ${REQUIRE};\nconst { param } = strategy_1;\nexports.default = (0, strategy_1.defineStrategy)${STRATEGY.slice('defineStrategy'.length)};\n`,
  'by-created-require.mjs': `import { createRequire } from 'node:module';\nconst { defineStrategy, param } = createRequire(import.meta.url)('ballast/strategy');\nexport default ${STRATEGY};\n`,
};

function write(name: string, text: string): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ballast-load-'));
  write('package.json', '{"type":"module"}');
  for (const [name, text] of Object.entries(GOOD)) write(name, text);
  for (const [, , files] of WRONG) for (const [name, text] of Object.entries(files)) write(name, text);
  const modules = [...Object.keys(GOOD), ...WRONG.map(([, module]) => module)];
  for (const module of modules)
    write(
      `${module.replaceAll('/', '-')}.yaml`,
      `environment: { name: sim }\nmarkets: [{ symbol: BTC-USD }]\nstrategies: [{ name: p, module: ./${module}, markets: [BTC-USD] }]\nrisk: { capital: 10000 }\n`,
    );
  const found: [string, Ended][] = [];
  const next = modules.values();
  const work = async (): Promise<void> => {
    for (const module of next)
      found.push([
        module,
        await shellEnd(`"$0" "$1" config check ${module.replaceAll('/', '-')}.yaml`, { cwd: folder }),
      ]);
  };
  await Promise.all([work(), work(), work()]);
  ends = new Map(found);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('a strategy that does not load', () => {
  test.each(WRONG)('of %s says where, and what to do', (_what, module, _files, error, remedy) => {
    const { exitCode, stderr = '' } = ends.get(module) ?? {};
    expect(stderr).toMatch(error);
    expect(/remedy: (.*)/.exec(stderr)?.[1]).toMatch(remedy);
    expect(exitCode).toBe(78);
  });

  test.each(Object.keys(GOOD))('does so as %s', (module) => {
    expect(ends.get(module)).toMatchObject({ exitCode: 0, stderr: '' });
  });

  test('is given up when it does not end', async () => {
    const clock = new VirtualClock(0);
    const loading = loadGuarded('/a.ts', () => new Promise(() => undefined), clock);
    const end = expect(loading).rejects.toMatchObject({
      code: 'STRATEGY_LOAD_FAILED',
      message: expect.stringContaining('still loading after 10 s'),
    });
    await clock.advanceAsync(10_000);
    await end;
    await expect(loadGuarded('/b.ts', async () => 'good', clock)).resolves.toBe('good');
  });

  test('is ended with the process when it lets nothing else happen', async () => {
    write('loop.ts', 'for (;;) {}\n');
    write(
      'loop.yaml',
      `environment: { name: sim }\nmarkets: [{ symbol: BTC-USD }]\nstrategies: [{ name: p, module: ./loop.ts, markets: [BTC-USD] }]\nrisk: { capital: 10000 }\n`,
    );
    const { exitCode, stderr } = await shellEnd('"$0" "$1" config check loop.yaml', { cwd: folder });
    expect(exitCode).toBe(78);
    expect(stderr).toMatch(/STRATEGY_LOAD_FAILED: .*loop\.ts to load, but it is still loading/);
  });
});
