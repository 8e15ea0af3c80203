/**
 * Runs everything that needs Node alone: types, lint, then every test project; prints the counts as the last line.
 * What needs a browser or a server of another kind is named, not run.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

interface Summary {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numFailedTestSuites: number;
  readonly success: boolean;
}

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const bin = (name: string): string => join(root, 'node_modules', '.bin', name);
const folder = mkdtempSync(join(tmpdir(), 'ballast-test-'));
const file = join(folder, 'summary.json');
const arguments_ = process.argv.slice(2);

/** Runs a step to its end and says whether it passed. */
function step(title: string, command: string, args: readonly string[]): boolean {
  process.stdout.write(`\n== ${title}\n`);
  return spawnSync(command, args, { cwd: root, stdio: 'inherit' }).status === 0;
}

const isWhole = arguments_.length === 0;
const isTyped = !isWhole || step('types', bin('tsc'), ['-p', 'tsconfig.json']);
const isClean = !isWhole || step('lint and format', bin('biome'), ['check', '--error-on-warnings', '.']);
step('tests', bin('vitest'), [
  'run',
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${file}`,
  // A browser and a Redis are more than Node.
  ...(isWhole ? ['--project', '!browser', '--project', '!hosts'] : arguments_),
]);

const summary: Summary | undefined = existsSync(file)
  ? (JSON.parse(readFileSync(file, 'utf8')) as Summary)
  : undefined;
rmSync(folder, { recursive: true, force: true });
if (!existsSync(join(root, '..', 'shared', 'vectors'))) {
  process.stdout.write('left out: public vectors and recorded markets (no ../shared beside this project)\n');
}
process.stdout.write(
  'left out: pages in a real browser (npm run test:browser), several hosts over Redis (npm run test:hosts)\n',
);
const extra = (isTyped ? 0 : 1) + (isClean ? 0 : 1);
if (!isTyped) process.stdout.write('types: failed\n');
if (!isClean) process.stdout.write('lint and format: failed\n');
if (summary === undefined) process.stdout.write('tests: the runner ended without a summary\n');
const failed = (summary?.numFailedTests ?? 1) + extra;
const isGood = summary?.success === true && failed === 0;
process.stdout.write(
  `${summary?.numPassedTests ?? 0} passed, ${isGood ? 0 : Math.max(1, failed)} failed, ${summary?.numPendingTests ?? 0} skipped\n`,
);
process.exit(isGood ? 0 : 1);
