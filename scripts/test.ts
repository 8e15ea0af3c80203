/**
 * Runs everything that needs Node alone: every test project, types and lint; prints the counts as the last line. Types and
 * lint take the time that tests of processes leave while they wait; they are shown behind the tests.
 * What needs a browser or a server of another kind is named, not run.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { constants, setPriority, tmpdir } from 'node:os';
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

/** What a step said, once it has ended. */
interface Ended {
  readonly title: string;
  readonly isGood: boolean;
  readonly output: string;
}

/** Runs the tests to their end; they show how far they are. */
function runTests(args: readonly string[]): Promise<void> {
  process.stdout.write('\n== tests\n');
  return new Promise((resolve, reject) => {
    spawn(bin('vitest'), args, { cwd: root, stdio: 'inherit' })
      .once('error', reject)
      .once('close', () => resolve());
  });
}

/** Runs a check beside the tests, behind them in line for a core. */
function runBeside(title: string, command: string, args: readonly string[]): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
    if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    child.once('error', reject).once('close', (code) => resolve({ title, isGood: code === 0, output }));
  });
}

const isWhole = arguments_.length === 0;
const checks = isWhole
  ? [
      runBeside('types', bin('tsc'), ['-p', 'tsconfig.json']),
      // What the package hands out: declarations find faults that the sources alone do not show.
      runBeside('declarations', bin('tsc'), ['-p', 'tsconfig.build.json', '--noEmit']),
      runBeside('lint and format', bin('biome'), ['check', '--error-on-warnings', '.']),
    ]
  : [];
await runTests([
  'run',
  '--reporter=default',
  `--reporter=${join(root, 'scripts', 'second-tries.ts')}`,
  '--reporter=json',
  `--outputFile.json=${file}`,
  // A browser and a Redis are more than Node.
  ...(isWhole ? ['--project', '!browser', '--project', '!hosts'] : arguments_),
]);
const checked = await Promise.all(checks);
for (const { title, output } of checked) process.stdout.write(`\n== ${title}\n${output}`);

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
const bad = checked.filter(({ isGood }) => !isGood);
for (const { title } of bad) process.stdout.write(`${title}: failed\n`);
if (summary === undefined) process.stdout.write('tests: the runner ended without a summary\n');
const failed = (summary?.numFailedTests ?? 1) + bad.length;
const isGood = summary?.success === true && failed === 0;
process.stdout.write(
  `${summary?.numPassedTests ?? 0} passed, ${isGood ? 0 : Math.max(1, failed)} failed, ${summary?.numPendingTests ?? 0} skipped\n`,
);
process.exit(isGood ? 0 : 1);
