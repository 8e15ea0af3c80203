/**
 * @module
 * `npm run prove -- fuzz --only frame` ran no target, `npm run prove -- swarm --seeds 1k` no seed, and both found nothing wrong.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..');

function run(...args: readonly string[]) {
  const command = [join(ROOT, 'scripts', 'prove.ts'), ...args];
  const { status, stdout, stderr } = spawnSync(process.execPath, command, { encoding: 'utf8' });
  return { status, stdout, stderr };
}

describe('npm run prove', () => {
  test.each([
    ['import-check', '--only', 'standy', /^--only: expected some of .*standx.*, got "standy"\n$/],
    ['papers', '--paths', '1e3', /^--paths: expected an integer from 2 to \d+, got "1e3"\n$/],
    ['papers', '--paths', '1', /^--paths: expected an integer from 2 to \d+, got "1"\n$/],
    ['papers', '--path', '1000', /^expected a known command or option, got path\n$/],
    ['papers', '--json', '1000', /^expected only options; --help lists them\n$/],
  ])('%s %s %s runs nothing and says why', (script, option, value, why) => {
    expect(run(script, option, value)).toEqual({
      status: 64,
      stdout: '',
      stderr: expect.stringMatching(why),
    });
  });

  test('shows the options of one', () => {
    const { status, stdout } = run('papers', '--help');
    expect(status).toBe(0);
    expect(stdout).toMatch(/--paths .*\[default: 1000\]/);
  });

  test('lists each file of scripts/prove, with what it proves in at most 60 characters and how long it takes', () => {
    const { status, stdout } = run();
    expect(status).toBe(0);
    const rows = [...stdout.matchAll(/^ {2}(\S+) +(?:\d+ min|\d+ s) {2}(\S.*)$/gm)];
    const files = readdirSync(join(ROOT, 'scripts', 'prove')).filter((name) => name.endsWith('.ts'));
    expect(rows.map(([, name]) => `${name}.ts`).sort()).toEqual(files.sort());
    expect(rows.filter(([, , proves = '']) => proves.length > 60)).toEqual([]);
  });

  test('refuses a name that it does not have, and lists those that it has', () => {
    const { status, stdout, stderr } = run('swam', '--seeds', '1');
    expect({ status, stdout }).toEqual({ status: 64, stdout: '' });
    expect(stderr).toMatch(/^expected one of the provers swarm, .*, got "swam"\n$/);
  });
});
