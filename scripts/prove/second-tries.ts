/**
 * Fails the first try of each test that has a second one (vitest.config.ts), so that each second try is seen to work: what
 * a first try leaves behind must not stand in its way.
 *
 * Usage: npm run prove -- second-tries [part of a file's name ...]
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const PROJECTS = ['cases', 'integration', 'processes', 'docs', 'regressions', 'package'];

/** Runs them; the exit code of vitest. */
function main(names: readonly string[]): number {
  const root = join(import.meta.dirname, '..', '..');
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const projects = PROJECTS.flatMap((name) => ['--project', name]);
  const { status } = spawnSync(process.execPath, [vitest, 'run', ...projects, ...names], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, BALLAST_FAIL_FIRST: '1' },
  });
  return status ?? 1;
}

if (process.argv.includes('--help'))
  process.stdout.write('Options:\n  [name ...]  Parts of file names; none: all\n');
else process.exitCode = main(process.argv.slice(2));
