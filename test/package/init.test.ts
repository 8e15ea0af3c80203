/** From an empty folder with only the package's file to a result of one's own: what `ballast init` writes, works at once. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { TEMPLATES } from '../../src/cli/terminal/templates.ts';
import { emptyFolder, installs, NODE_LINES, quietNpm, typed } from '../support/installed.ts';

const tarball = inject('tarball');

describe.each(NODE_LINES)('a project from an empty folder, with the Node %s', (node) => {
  let project = '';
  let isInstalled = false;
  /** A second try names its files otherwise. */
  let nextTry = 1;
  const says = async (line: string): Promise<string> => {
    const { code, text } = await typed(project, line, node);
    expect([line, code], text).toEqual([line, 0]);
    return text;
  };

  beforeAll(async () => {
    const folder = emptyFolder();
    quietNpm(folder);
    const beganAt = performance.now();
    const line = `npx --yes --package ${tarball} ballast init my-bot && cd my-bot && npm install --prefer-offline && npm test && npm run backtest`;
    isInstalled = await installs(folder, line, node);
    process.stdout.write(`from nothing to a page: ${Math.round((performance.now() - beganAt) / 1_000)} s\n`);
    project = join(folder, 'my-bot');
  });

  test('has the page of a result of its own', ({ skip }) => {
    skip(!isInstalled);
    const page = readFileSync(join(project, 'results', 'maker.html'), 'utf8');
    expect(page.includes('BTC-USD') && page.includes('uPlot')).toBe(true);
    const manifest = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as {
      readonly dependencies: Readonly<Record<string, string>>;
    };
    expect(join(project, manifest.dependencies['ballast']?.replace('file:', '') ?? '')).toBe(tarball);
    expect(statSync(join(project, 'keys')).mode & 0o777).toBe(0o700);
  });

  test('checks its types strictly, and runs in every mode', async ({ skip }) => {
    skip(!isInstalled);
    await says('npm run check');
    expect(await says('npm start -- --duration 2s')).toContain('proof     proven');
    expect(await says('npm run paper -- --duration 1s')).toContain('proof');
    await says('npm run schema');
  });

  test('takes in a strategy of each other template, whose tests and study run', async ({ skip }) => {
    skip(!isInstalled || node === 'of these tests');
    const at = nextTry++;
    for (const template of TEMPLATES.filter((one) => one !== 'maker')) {
      const name = `my-${template}-${at}`;
      await says(`npx ballast new strategy ${name} --template ${template}`);
      await says(`npx ballast backtest studies/${name}.yaml --html results/${template}.html`);
      expect(existsSync(join(project, 'results', `${template}.html`))).toBe(true);
    }
    expect(await says('npm test')).toMatch(/fail 0/);
    await says('npx tsc');
    await says(`npx ballast bars studies/my-bars-${at}.yaml`);
  });
});
