/**
 * @module
 * Projects as `ballast init` makes them, one of each template, with this repository as the package: their scripts run. The
 * ported strategies are copied into one as their pages say, and so is code of pages that is in no file. `test/package`
 * walks the same way with the package from its file.
 */
import { execFile } from 'node:child_process';
import {
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TEMPLATES } from '../../src/cli/terminal/templates.ts';
import { ballast, ENVIRONMENT } from '../support/ballast-process.ts';
import { pageBlocks } from '../support/page-blocks.ts';
import { ROOT } from '../tidy/source.ts';

const run = promisify(execFile);
const TOP = mkdtempSync(join(tmpdir(), 'ballast-projects-'));
/** A result with orders of which some were filled. */
const ORDERS = /^orders +[1-9][\d,]* placed, [1-9]/m;
const PORTED = join(ROOT, 'docs', 'coming-from');

/** Runs a line in a project, with the commands that its packages bring. */
async function says(project: string, line: string): Promise<string> {
  const PATH = [join(project, 'node_modules', '.bin'), ENVIRONMENT['PATH']].join(delimiter);
  const env = { ...ENVIRONMENT, PATH, BALLAST_STATE_HOME: join(TOP, 'state') };
  const ended = await run('sh', ['-c', line], { cwd: project, env }).then(
    ({ stdout, stderr }) => ({ code: 0, text: stdout + stderr }),
    (error: { code?: number; stdout?: string; stderr?: string }) => ({
      code: error.code ?? 1,
      text: `${error.stdout}${error.stderr}`,
    }),
  );
  expect([line, ended.code], ended.text).toEqual([line, 0]);
  return ended.text;
}

const SOURCES = globSync('{docs,src}/**/*.ts', { cwd: ROOT }).map((file) =>
  readFileSync(join(ROOT, file), 'utf8'),
);

/** Where in the project code of a page lies that is nowhere else: what else is shown is a part of a file that is checked. */
const PAGES: Readonly<Record<string, string>> = {
  'README.md': 'strategies/one-level.ts',
  'docs/guides/bars.md': 'strategies/breakout.ts',
  'docs/guides/test-a-strategy.md': 'strategies/of-the-guide.test.ts',
};

/** The code of a page as one file. */
const OWN_CODE = Map.groupBy(
  pageBlocks().filter(
    ({ page, language, text }) =>
      language === 'ts' &&
      page !== 'docs/reference/client.md' &&
      !SOURCES.some((source) => source.includes(text)),
  ),
  ({ page }) => PAGES[page] ?? `strategies/${page.replaceAll(/\W/g, '-')}.ts`,
);

const scriptsOf = (project: string): Readonly<Record<string, string>> =>
  JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')).scripts;

beforeAll(async () => {
  const packages = join(TOP, 'node_modules');
  mkdirSync(join(packages, '.bin'), { recursive: true });
  symlinkSync(ROOT, join(packages, 'ballast'));
  symlinkSync(join(ROOT, 'bin', 'ballast.mjs'), join(packages, '.bin', 'ballast'));
  for (const name of ['@types', 'typescript', '.bin/tsc'])
    symlinkSync(join(ROOT, 'node_modules', name), join(packages, name));
  for (const template of TEMPLATES) {
    const project = join(TOP, template);
    const made = await ballast(['init', project, '--template', template]);
    expect(made, made.stderr).toMatchObject({ exitCode: 0 });
    symlinkSync(packages, join(project, 'node_modules'));
  }
  for (const [file, blocks] of OWN_CODE)
    writeFileSync(join(TOP, 'maker', file), blocks.map(({ text }) => text).join(''));
});
afterAll(() => rmSync(TOP, { recursive: true, force: true }));

describe.each(TEMPLATES)('ballast init --template %s', (template) => {
  const project = join(TOP, template);
  const script = (name: string): Promise<string> => says(project, scriptsOf(project)[name] ?? 'exit 1');

  test('its tests pass, and its study leaves a page', async () => {
    expect(await script('test')).toMatch(/pass [1-9][\s\S]*fail 0/);
    await script('backtest');
    expect(readFileSync(join(project, 'results', `${template}.html`), 'utf8')).toContain('BTC-USD');
    if (template === 'bars') expect(await script('bars')).toContain('bars');
  });
});

test('the strategy of the README trades with the configuration that it points to', async () => {
  const yaml = pageBlocks().find(
    ({ page, language }) => page === 'docs/getting-started.md' && language === 'yaml',
  );
  writeFileSync(join(TOP, 'maker', 'strategies', 'one-level.yaml'), yaml?.text ?? '');
  const line = 'ballast backtest strategies/one-level.yaml --tape node_modules/ballast/backtest/tapes/sample';
  expect(await says(join(TOP, 'maker'), line)).toMatch(ORDERS);
});

describe('the ported strategies, in a project', () => {
  const project = join(TOP, 'maker');
  const pages = readdirSync(PORTED).filter((name) => name.endsWith('.md'));
  /** The block that copies an example and runs it. */
  const stepsOf = (page: string): readonly string[] => {
    const text = readFileSync(join(PORTED, page), 'utf8');
    const blocks = [...text.matchAll(/^```sh\n(cp .*?)^```/gms)].map(([, block = '']) => block);
    expect(blocks).toHaveLength(1);
    return (blocks[0] ?? '').trimEnd().split('\n');
  };

  test.each(pages)('%s: what it says to copy runs as it is', async (page) => {
    for (const line of stepsOf(page)) {
      const printed = await says(project, line.replace(/^npx /, ''));
      if (line.startsWith('npx ')) expect(printed).toMatch(ORDERS);
    }
  });

  test('and all strategies of all projects pass the strict check of types', async () => {
    const config = { extends: './maker/tsconfig.json', include: ['*/strategies', '*/studies'] };
    writeFileSync(join(TOP, 'tsconfig.json'), JSON.stringify(config));
    await says(TOP, 'tsc --listFilesOnly > files.txt && tsc');
    const files = readFileSync(join(TOP, 'files.txt'), 'utf8');
    for (const name of [
      'maker/strategies/maker.test.ts',
      'bars/strategies/bars.ts',
      'studies/queue-grid.ts',
      ...Object.values(PAGES),
    ])
      expect(files).toContain(name);
  });
});
