/** @module Examinations as a user runs them: bundled strategies pass, and the command says what broke another one. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ExamDocument, examine, loadSubjects, subjectOf } from '../../src/research/examine/index.ts';
import { ballast } from '../support/ballast-process.ts';
import { SOUND } from '../support/faulty-strategies.ts';

const PATIENCE_MS = 240_000;
/** The configuration of each bundled strategy; that of the ladder is the demo's. */
const BUNDLED = readdirSync('strategies').map(
  (name) => [name, name === 'two-sided-ladder' ? 'demo' : name] as const,
);

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ballast-examine-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A strategy as a file that no project surrounds; it takes the SDK as the repository's strategies do. */
function fileOf(name: string, body: string): string {
  const path = join(folder, `${name}.ts`);
  const sdk = JSON.stringify(join(process.cwd(), 'src/bot/strategy/index.ts'));
  writeFileSync(path, `import { defineStrategy, param } from ${sdk};\n${body}`);
  return path;
}

describe('examine', () => {
  test.each(BUNDLED)(
    '%s passes every scenario',
    async (name, config) => {
      const [loaded] = await loadSubjects(`configs/${config}.yaml`);
      if (loaded === undefined) throw new Error('a strategy in the configuration');
      expect(loaded.subject.definition.name).toBe(name);
      const results = examine(loaded.subject, { loading: loaded.loading });
      expect(results.filter(({ finding }) => finding !== undefined)).toEqual([]);
    },
    PATIENCE_MS,
  );

  test.each(['maker', 'taker', 'hedge', 'bars'])(
    'the template %s does, too',
    async (name) => {
      const project = join(mkdtempSync(join(folder, `${name}-`)), name);
      expect((await ballast(['init', project, '--template', name])).exitCode).toBe(0);
      // What npm install would do.
      mkdirSync(join(project, 'node_modules'));
      symlinkSync(process.cwd(), join(project, 'node_modules', 'ballast'));
      const { exitCode, stdout } = await ballast(['examine', join(project, 'configs', `${name}.yaml`)]);
      expect(stdout).not.toContain('FAIL');
      expect(stdout).toMatch(/(\d+) of \1 scenarios passed/);
      expect(exitCode).toBe(0);
    },
    PATIENCE_MS,
  );

  test(
    'a sound strategy of another author does, too',
    () => {
      expect(examine(subjectOf(SOUND, {})).filter(({ finding }) => finding !== undefined)).toEqual([]);
    },
    PATIENCE_MS,
  );

  test(
    'finds parameters that a module alone does not tell, or says which are needed',
    async () => {
      const [glft] = await loadSubjects('glft', { set: ['size=0.003'], markets: ['BTC-USD', 'ETH-USD'] });
      expect(glft?.subject.symbols).toEqual(['BTC-USD', 'ETH-USD']);
      expect(glft?.subject.parameters['size']).toBe('0.003');
      expect(glft?.subject.definition.check(glft.subject.parameters).isValid).toBe(true);
      const path = fileOf(
        'odd',
        `export default defineStrategy({ name: 'odd', parameters: param.object({ size: param.decimal({ min: '77', max: '78' }) }), create: () => ({}) });`,
      );
      await expect(loadSubjects(path)).rejects.toMatchObject({ code: 'EXAMINE_PARAMETERS_NEEDED' });
      await expect(loadSubjects(path, { set: ['size=77.5'] })).resolves.toHaveLength(1);
    },
    PATIENCE_MS,
  );

  test(
    'the command names what broke a strategy, and ends with exit code 79',
    async () => {
      const path = fileOf(
        'broken',
        `setInterval(() => undefined, 1_000).unref();
export default defineStrategy({ name: 'broken', parameters: param.object({}), create: (context) => ({
  onBook(view, book) { if (book.askCount === 0) throw new Error('no ask'); context.pullQuotes('never', view.symbol); },
}) });`,
      );
      const args = ['examine', path, '--only', 'market', '--only', 'hidden-timer', '--json'];
      const { exitCode, stdout, stderr } = await ballast(args);
      expect(stderr).not.toContain('unexpected error');
      const { strategies } = JSON.parse(stdout) as { readonly strategies: readonly ExamDocument[] };
      const failed = strategies[0]?.scenarios.filter(({ isPassed }) => !isPassed);
      expect(failed?.map(({ name }) => name)).toEqual(['no-asks', 'empty-book', 'hidden-timer']);
      expect(failed?.[0]).toMatchObject({
        event: { text: expect.stringMatching(/^book BTC-USD .* \/ none$/) },
        got: 'onBook threw: no ask',
      });
      expect(failed?.[2]).toMatchObject({
        event: { text: 'the module is loaded' },
        got: 'setInterval was used',
      });
      expect(exitCode).toBe(79);
    },
    PATIENCE_MS,
  );

  test(
    'the command passes a good one with exit code 0, in a table of 80 columns',
    async () => {
      const { exitCode, stdout } = await ballast(['examine', 'ping-pong', '--only', 'orders']);
      expect(stdout).toMatch(/pass {2}partial-fills/);
      expect(stdout).toMatch(/(\d+) of \1 scenarios passed/);
      expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
      expect(exitCode).toBe(0);
    },
    PATIENCE_MS,
  );

  test(
    'a misspelt scenario is an error of the command line',
    async () => {
      const { exitCode, stderr } = await ballast(['examine', 'ping-pong', '--only', 'flod']);
      expect(stderr).toContain('did you mean flood?');
      expect(exitCode).toBe(64);
    },
    PATIENCE_MS,
  );
});
