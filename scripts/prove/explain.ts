/**
 * Explains every order, fill, denial and second without a quote of a simulated run, and holds it against the records of the
 * exchange (docs/guides/explain.md); then makes the journal of a day and measures what `ballast explain` of the installed
 * package takes on it, as a process of its own: by the clock and in processor time. Without a registry that of this folder
 * is measured, which loads twice as many files.
 *
 * Usage: npm run prove -- explain [--minutes 60] [--seed 3] [--hours 24] [--limit 200] [--json]
 *
 * Exit code 1: something is not explained, or explained other than the exchange has it, or a question takes longer than
 * `--limit` milliseconds (the fastest of five).
 */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { keepRunFacts } from '../../src/bot/explain/index.ts';
import { listRun } from '../../src/bot/operator/run-list.ts';
import { jsonOption } from '../../src/cli/terminal/options.ts';
import { silentLog } from '../../src/core/index.ts';
import { BALLAST, ENVIRONMENT } from '../../test/support/ballast-process.ts';
import { dayOfJournal } from '../../test/support/day-of-journal.ts';
import { disturbed, explainAll, explainedRun } from '../../test/support/explained-run.ts';
import { installs, pack, quietNpm } from '../../test/support/installed.ts';
import { readOptions, whole } from '../options.ts';

const values = readOptions({
  minutes: whole('Length of the run, in virtual minutes', { min: 1, otherwise: 60 }),
  seed: whole('Of the run', { otherwise: 3 }),
  hours: whole('Length of the journal that is measured', { min: 1, otherwise: 24 }),
  limit: whole('Longest time of a question, ms', { min: 1, otherwise: 200 }),
  json: jsonOption,
});
const write = (text: string) => void (values.json ? process.stderr : process.stdout).write(`${text}\n`);

const world = await explainedRun(disturbed({ seed: values.seed, forMs: values.minutes * 60_000 }));
const explained = explainAll(world);
world.remove();
const { orders, fills, denials, gapSeconds, quotedSeconds, reasons, problems } = explained;
write(
  `${orders} orders, ${fills} fills, ${denials} denials, ${gapSeconds} s without a quote, ${quotedSeconds} s with one`,
);
write(`reasons: ${JSON.stringify(reasons)}`);
for (const problem of problems) write(`not explained: ${problem}`);

const folder = mkdtempSync(join(tmpdir(), 'ballast-explain-day-'));
const times: Record<string, Taken> = {};
try {
  const day = dayOfJournal(folder, values.hours);
  const runId = day.runId;
  keepRunFacts(join(folder, runId), { schema: 1, runId, journal: day.journal }, silentLog);
  const state = join(folder, 'state');
  listRun(join(state, 'ballast', 'runs'), {
    ...{ runId, name: 'maker', mode: 'live', environment: 'sim', config: '/maker.yaml' },
    ...{ folder: join(folder, runId), processId: process.pid, startedAtMs: day.fromMs },
  });
  const command = await commandIn(join(folder, 'user'));
  for (const words of day.questions)
    times[words.join(' ')] = await fastestOf([...command, 'explain', ...words], state);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
for (const [words, { ms, processorMs }] of Object.entries(times))
  write(`${Math.round(ms)} ms, ${processorMs} ms of a processor: ballast explain ${words}`);
const isFast = Object.values(times).every(({ ms }) => ms <= values.limit);
if (values.json) process.stdout.write(`${JSON.stringify({ ...explained, times })}\n`);
process.exit(problems.length === 0 && isFast ? 0 : 1);

/** What a process took: by the clock, and in processor time of the system and itself. */
interface Taken {
  readonly ms: number;
  readonly processorMs: number;
}

/** Installs the package in `folder`: the command line that starts it, or, without a registry, ballast as it is here. */
async function commandIn(folder: string): Promise<readonly string[]> {
  const file = await pack();
  mkdirSync(folder);
  quietNpm(folder);
  const isInstalled = await installs(folder, `npm install ${file}`);
  rmSync(dirname(file), { recursive: true });
  return isInstalled
    ? [process.execPath, join(folder, 'node_modules', 'ballast', 'bin', 'ballast.mjs')]
    : BALLAST;
}

/** The fastest of five whole processes: on a machine that does other things, the others say how busy it was. */
async function fastestOf(command: readonly string[], state: string): Promise<Taken> {
  const taken: Taken[] = [];
  for (let run = 0; run < 5; run++) {
    const beganAt = performance.now();
    const { stdout } = await promisify(execFile)(
      'sh',
      ['-c', '"$@" >/dev/null || exit; times', 'sh', ...command],
      { env: { ...ENVIRONMENT, XDG_STATE_HOME: state } },
    );
    taken.push({ ms: performance.now() - beganAt, processorMs: childrenMs(stdout) });
  }
  return {
    ms: Math.min(...taken.map(({ ms }) => ms)),
    processorMs: Math.min(...taken.map(({ processorMs }) => processorMs)),
  };
}

/** The second line of `times` of a shell, of its children: user and system as `0m0.120s 0m0.030s`. */
function childrenMs(times: string): number {
  const [, children = ''] = times.split('\n');
  const parts = [...children.matchAll(/([0-9]+)m([0-9.]+)s/g)];
  return Math.round(parts.reduce((sum, [, m, s]) => sum + Number(m) * 60_000 + Number(s) * 1_000, 0));
}
