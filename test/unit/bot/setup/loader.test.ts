/** @module Strategy modules from files: what loads, and what each way of being wrong is called. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadStrategy } from '../../../../src/bot/setup/loader.ts';
import { strategyOf } from '../../../support/bot-rig.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..', '..');
let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'strategy-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

function write(name: string, source: string): string {
  const path = join(folder, name);
  writeFileSync(path, source);
  return path;
}

/** Loads in a Node process of its own: there the types are stripped by Node, not by the test runner. */
function loadInNode(file: string): string {
  const runtime = pathToFileURL(join(ROOT, 'src', 'bot', 'setup', 'loader.ts')).href;
  const script = `
    const { loadStrategy } = await import(${JSON.stringify(runtime)});
    try {
      const { definition } = await loadStrategy(${JSON.stringify(file)});
      console.log('loaded ' + definition.name);
    } catch (error) {
      console.log(error.code + ' | ' + error.message.split('\\n')[0] + ' | ' + error.remedy);
    }`;
  const args = ['--conditions=ballast-source', '--input-type=module', '--eval', script];
  const run = spawnSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' });
  return `${run.stdout}${run.status === 0 ? '' : run.stderr}`.trim();
}

const sdk = pathToFileURL(join(ROOT, 'src', 'bot', 'strategy', 'index.ts')).href;

describe('loadStrategy', () => {
  test('loads TypeScript as it is, from outside of the repository', () => {
    const file = write(
      'good.ts',
      `import { defineStrategy, param } from ${JSON.stringify(sdk)};
       type Anything = number;
       const one: Anything = 1;
       export default defineStrategy({ name: 'good-' + one, parameters: param.object({}), create: () => ({}) });`,
    );
    expect(loadInNode(file)).toBe('loaded good-1');
  });

  test('loads the bundled strategies', () => {
    for (const name of ['two-sided-ladder', 'avellaneda-stoikov'])
      expect(loadInNode(join(ROOT, 'strategies', name, 'index.ts'))).toBe(`loaded ${name}`);
  });

  test.each([
    ['an enum', 'enum Side { Buy } export default Side;', 'STRATEGY_SYNTAX_NOT_ERASABLE', 'no enum'],
    ['broken code', 'export default {', 'STRATEGY_SYNTAX_INVALID', ''],
    ['a missing import', "import './nowhere.ts';", 'STRATEGY_IMPORT_MISSING', './model.ts'],
    ['an error while it loads', "throw new Error('boom');", 'STRATEGY_LOAD_FAILED', ''],
    [
      'no default export',
      'export const strategy = 1;',
      'STRATEGY_EXPORT_MISSING',
      'export default defineStrategy',
    ],
    [
      'another default export',
      'export default { onBook() {} };',
      'STRATEGY_EXPORT_WRONG',
      'ballast/strategy',
    ],
  ])('error: %s is named with the file and a remedy', (what, source, code, remedy) => {
    const file = write(`${what.replaceAll(' ', '-')}.ts`, source);
    const said = loadInNode(file);
    expect(said).toContain(`${code} | expected `);
    expect(said).toContain(file);
    expect(said).toContain(remedy);
  });

  test('error: a file that is not there', async () => {
    await expect(loadStrategy(join(folder, 'nowhere.ts'))).rejects.toMatchObject({
      code: 'STRATEGY_FILE_UNREADABLE',
    });
  });

  test('a changed file is another module with another hash', async () => {
    const urls: string[] = [];
    const load = async (url: string) => {
      urls.push(url);
      return { default: strategyOf(() => ({})) };
    };
    const file = write('changing.ts', '// one');
    const first = await loadStrategy(file, load);
    write('changing.ts', '// two');
    const second = await loadStrategy(file, load);
    expect(first.file).toBe(file);
    expect(first.sha256).not.toBe(second.sha256);
    expect(new Set(urls).size).toBe(2);
    // The first has no query: a debugger sets breakpoints by file and line.
    const { href } = pathToFileURL(file);
    expect(urls).toEqual([href, `${href}?sha256=${second.sha256.slice(0, 16)}`]);
    write('changing.ts', '// one');
    await loadStrategy(file, load);
    expect(urls[2]).toBe(href);
  });

  test('is another module when a file changes that it imports, directly or not (ballast bars kept its run id)', async () => {
    const load = async () => ({ default: strategyOf(() => ({})) });
    const file = write(
      'rule-user.ts',
      "import { rule } from './rule.ts';\nexport { type A } from '../elsewhere.ts';",
    );
    write('rule.ts', 'import * as maths from "./maths.ts";\nimport \'./rule-user.ts\';');
    write('maths.ts', '// one');
    const hash = async () => (await loadStrategy(file, load)).sha256;
    const first = await hash();
    expect(await hash()).toBe(first);
    write('maths.ts', '// two');
    expect(await hash()).not.toBe(first);
    write('maths.ts', '// one');
    expect(await hash()).toBe(first);
    write('rule.ts', '// neither');
    expect(await hash()).not.toBe(first);
  });
});
