/**
 * @module
 * `npm run bench [-- --json] [--only G1,G5] [--rounds 9] [--ms 120]`: measures the performance goals and judges them by
 * ratios of one run. Exit 1 when a goal does not hold. Tables go to stderr; with `--json` the last line of stdout is
 * the document `{goals, figures, machine}`.
 *
 *   main ── fork ──▶ a group in processes of its own: none warms, fills or breaks another ──▶ goals, figures
 */
import { fork } from 'node:child_process';
import { cpus, release, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import { readOptions, whole } from '../scripts/options.ts';
import { jsonOption, textOption } from '../src/cli/terminal/options.ts';
import { type Goal, type GroupResult, holds, medianOf } from './goal.ts';
import { GROUPS, type Group } from './groups.ts';
import { type Effort, rounded } from './measure.ts';
import { installPeers } from './peers.ts';
import { say } from './show.ts';

/** No group needs more, not G5 on a slow disk either, and none that is long; one that does hangs. */
const GROUP_MS_MAX = 900_000;
const LONG_GROUP_MS_MAX = 2_700_000;
/** The room of the young generation that bin/ballast.mjs gives a bot: every stack of a group has the same. */
const LIKE_THE_LAUNCHER = '--max-semi-space-size=64';

/** What a group's process tells its parent. */
type Told = GroupResult | { readonly failed: string };

const values = readOptions({
  json: jsonOption,
  only: { ...textOption('Only the groups of these goals'), coerce: chosen },
  rounds: whole('Rounds of each measurement', { min: 1, otherwise: 9 }),
  ms: whole('Length of one sample', { min: 1, otherwise: 120 }),
  group: { ...textOption('This group alone, in this process'), coerce: groupOf },
});
const effort: Effort = { rounds: values.rounds, sampleMs: values.ms };
if (values.group === undefined)
  await runAll(values.only ?? GROUPS.filter(({ isLong }) => isLong !== true), effort);
else await runOne(values.group, effort);

async function runAll(groups: readonly Group[], effort: Effort): Promise<void> {
  const startedAtMs = performance.now();
  installPeers();
  const goals: Goal[] = [];
  const figures: Record<string, number> = {};
  const failures: string[] = [];
  for (const group of groups) {
    const told = await inProcesses(group, effort);
    if ('failed' in told) {
      failures.push(`${group.goals.join(', ')}: ${told.failed}`);
      for (const id of group.goals) goals.push(unmeasured(id, told.failed.split('\n', 1)[0] ?? ''));
      continue;
    }
    goals.push(...told.goals);
    Object.assign(figures, told.figures);
  }
  showGoals(goals);
  for (const failure of failures) say(`failed: ${failure}`);
  say(`${Math.round((performance.now() - startedAtMs) / 1000)} s`);
  if (values.json) process.stdout.write(`${JSON.stringify(documentOf(goals, figures))}\n`);
  if (!goals.every(holds)) process.exitCode = 1;
}

/** Measures one group here and tells the parent, or prints it when there is none. */
async function runOne(group: Group, effort: Effort): Promise<void> {
  // Nobody waits for the result any more: on its own it would measure, with its servers, what no one reads.
  process.once('disconnect', () => process.exit(1));
  let told: Told;
  try {
    told = await group.measure(effort);
  } catch (error) {
    told = { failed: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
  if (process.send === undefined) say(JSON.stringify(told, undefined, 2));
  else await new Promise((resolve) => process.send?.(told, resolve));
  process.exit(0);
}

/** Measures a group in as many processes as it asks for, its rounds shared out among them. */
async function inProcesses(group: Group, { rounds, sampleMs }: Effort): Promise<Told> {
  const { processes = 1 } = group;
  const effort = { rounds: Math.ceil(rounds / processes), sampleMs };
  const results: GroupResult[] = [];
  for (let process = 0; process < processes; process++) {
    const told = await inOwnProcess(group, effort);
    if ('failed' in told) return told;
    results.push(told);
  }
  return medianOf(results);
}

function inOwnProcess(group: Group, { rounds, sampleMs }: Effort): Promise<Told> {
  const args = ['--group', group.name, '--rounds', String(rounds), '--ms', String(sampleMs)];
  return new Promise((resolve) => {
    // What a measured package prints must not get between the document and its reader.
    const child = fork(fileURLToPath(import.meta.url), args, {
      stdio: ['ignore', 2, 2, 'ipc'],
      execArgv: [...process.execArgv, LIKE_THE_LAUNCHER, ...(group.nodeOptions ?? [])],
    });
    const groupMsMax = group.isLong === true ? LONG_GROUP_MS_MAX : GROUP_MS_MAX;
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      resolve({ failed: `no result within ${groupMsMax / 1_000} s; fewer rounds take less: --rounds 3` });
    }, groupMsMax);
    child.once('message', (told: Told) => {
      clearTimeout(timer);
      resolve(told);
    });
    child.once('exit', (code, signal) => {
      clearTimeout(timer);
      resolve({ failed: `the process of the group ended with ${code ?? signal} before it had a result` });
    });
  });
}

function documentOf(goals: readonly Goal[], figures: Readonly<Record<string, number>>): object {
  const judged = goals.map((goal) => {
    const { id, what, ratio, limit, better, reason } = goal;
    const entry = {
      ratio: ratio === null ? null : rounded(ratio),
      limit,
      better,
      holds: holds(goal),
      what,
      ...(reason === undefined ? {} : { reason }),
    };
    return [id, entry] as const;
  });
  return { goals: Object.fromEntries(judged), figures, machine: machine() };
}

function machine(): object {
  const processors = cpus();
  return {
    node: process.version,
    v8: process.versions.v8,
    platform: `${process.platform} ${process.arch} ${release()}`,
    cpu: processors[0]?.model.trim() ?? 'unknown',
    cores: processors.length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
  };
}

function showGoals(goals: readonly Goal[]): void {
  say('\nGoals');
  for (const goal of goals) {
    const sign = goal.better === 'lower' ? '<=' : '>=';
    const ratio = goal.ratio === null ? 'not measured' : String(rounded(goal.ratio));
    const verdict = holds(goal) ? 'holds' : 'FAILS';
    say(`  ${verdict}  ${goal.id.padEnd(11)} ${ratio.padStart(8)} ${sign} ${goal.limit}  ${goal.what}`);
    if (goal.reason !== undefined) say(`         ${goal.reason}`);
  }
}

function unmeasured(id: string, reason: string): Goal {
  return { id, what: 'not measured', ratio: null, limit: 0, better: 'lower', reason };
}

/** The groups of the goals in `only`. */
function chosen(only: string): readonly Group[] {
  const wanted = only.split(',').map((typed) => {
    const id = typed.trim();
    return GROUPS.some(({ goals }) => goals.includes(id)) ? id : (id.split('.')[0] ?? '');
  });
  const unknown = wanted.find((id) => !GROUPS.some(({ goals }) => goals.includes(id)));
  if (unknown !== undefined)
    throw unlike(
      GROUPS.flatMap(({ goals }) => goals),
      unknown,
    );
  return GROUPS.filter(({ goals }) => goals.some((id) => wanted.includes(id)));
}

function groupOf(name: string): Group {
  const group = GROUPS.find((one) => one.name === name);
  if (group === undefined)
    throw unlike(
      GROUPS.map((one) => one.name),
      name,
    );
  return group;
}

function unlike(names: readonly string[], was: string): Error {
  return new Error(`expected one of ${names.join(', ')}, got ${JSON.stringify(was)}`);
}
