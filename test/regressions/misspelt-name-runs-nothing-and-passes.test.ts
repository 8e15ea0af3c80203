/**
 * @module
 * `npm run fuzz -- --only frame` ran no target, `npm run swarm -- --seeds 1k` no seed, and both found nothing wrong.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..');

function run(script: string, ...args: readonly string[]) {
  const command = ['--conditions=ballast-source', join(ROOT, 'scripts', `${script}.ts`), ...args];
  const { status, stdout, stderr } = spawnSync(process.execPath, command, { encoding: 'utf8' });
  return { status, stdout, stderr };
}

describe('a script', () => {
  test.each([
    ['import-check', '--only', 'standy', /^--only: expected some of .*standx.*, found "standy"\n$/],
    ['papers', '--paths', '1e3', /^--paths: expected a whole number from 2 to \d+, found "1e3"\n$/],
    ['papers', '--paths', '1', /^--paths: expected a whole number from 2 to \d+, found "1"\n$/],
    ['papers', '--path', '1000', /^expected a known command or option, found path\n$/],
    ['papers', '--json', '1000', /^expected options alone; --help lists them\n$/],
  ])('%s %s %s runs nothing and says why', (script, option, value, why) => {
    expect(run(script, option, value)).toEqual({
      status: 64,
      stdout: '',
      stderr: expect.stringMatching(why),
    });
  });

  test('says what there is', () => {
    const { status, stdout } = run('papers', '--help');
    expect(status).toBe(0);
    expect(stdout).toMatch(/--paths .*\[default: 1000\]/);
  });
});
