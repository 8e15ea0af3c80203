/**
 * Explores a small scope exhaustively in the deterministic simulation: a bot that writes twice, three fills, one ledger
 * entry. Every message between bot and exchange is taken in, lost, doubled or moved behind any later one, and the process
 * dies before any step; the oracles of the swarm judge each schedule.
 *
 * Usage: npm run prove -- explore [--minutes 20] [--schedules 2000000] [--depth 9] [--workers 2] [--minimize 3] [--json]
 *        npm run prove -- explore --schedule 12x.17>20        shows one schedule, line by line
 *        npm run prove -- explore --mutants [--only id,id]    the wrong clients of test/mutants that fall to it alone
 *
 * Schedules come by the number of their deviations from the plain one. A schedule is named by them: `12x` step 12 is lost,
 * `12d` doubled, `12>17` moved behind step 17, `12k` the process dies before it, `12p` the power fails. What fails is made
 * smaller and told in words. States that are alike are deviated from once: `branched` says how many were, `pruned` how many
 * schedules that spared. Exit code 1: an invariant was broken, or of the wrong clients fewer than ten were caught.
 */
import { flagOption, jsonOption, textOption } from '../../src/cli/terminal/options.ts';
import { MUTANTS } from '../../test/mutants/index.ts';
import {
  type Explored,
  explore,
  type Failure,
  minimizeSchedule,
  ownRunners,
} from '../../test/simulation/explore/explorer.ts';
import { runSchedule, type TraceLine } from '../../test/simulation/explore/run-schedule.ts';
import { describe, idOf, type Schedule, scheduleOf } from '../../test/simulation/explore/schedule.ts';
import { Threads } from '../../test/simulation/explore/threads.ts';
import { maybeWhole, readOptions, someOf, whole } from '../options.ts';
import { judgeByExploring } from './explore/judge.ts';

const MINUTE_MS = 60_000;
const SECOND_MS = 1_000;
const PROGRESS_MS = 60_000;
/** Failures that are told as they come; of the others only the number. */
const TOLD_MAX = 5;
const WORDS_MAX = 300;
/** Wrong clients that must fall. */
const CAUGHT_MIN = 10;

const values = readOptions({
  minutes: whole('Ends after this time', { min: 1, otherwise: 20 }),
  schedules: whole('Ends after so many schedules', { min: 1, otherwise: 2_000_000 }),
  depth: whole('Deviations of a schedule at most', { otherwise: 9 }),
  workers: whole('Threads', { min: 1, otherwise: 2 }),
  minimize: whole('Failing schedules to make smaller', { otherwise: 3 }),
  schedule: { ...textOption('Show this schedule alone'), coerce: readSchedule },
  mutants: flagOption('Judge the wrong clients in place of the product'),
  only: someOf(
    'Of the wrong clients only these',
    MUTANTS.map(({ id }) => id),
  ),
  tries: maybeWhole('Schedules that a wrong client is tried with', { min: 1 }),
  json: jsonOption,
});

function readSchedule(id: string | number | undefined): Schedule | undefined {
  if (id === undefined) return undefined;
  const schedule = scheduleOf(String(id));
  if (schedule === undefined) throw new Error(`expected an id such as plain or 12x.17>20, got ${id}`);
  return schedule;
}

/** What people read goes where it does not disturb the document. */
function say(line: string): void {
  (values.json ? process.stderr : process.stdout).write(`${line}\n`);
}

function lineOf({ atMs, what, step }: TraceLine): string {
  const at = `${Math.round(atMs)}`.padStart(6);
  return `${at} ms  ${step === undefined ? '' : `[${step}] `}${what}`;
}

/** The deviations of a schedule in words, each by what its step is in that very run. */
async function inWords(schedule: Schedule): Promise<readonly string[]> {
  const steps = new Map<number, string>();
  await runSchedule(schedule, ({ step, what }) => {
    if (step !== undefined) steps.set(step, what.split('  ', 1)[0] ?? what);
  });
  return schedule.map((one) => describe(one, (step) => steps.get(step) ?? 'nothing'));
}

async function tell({ id, violations }: Failure): Promise<void> {
  say(`${id}: ${violations.length} violations`);
  for (const violation of violations.slice(0, 2))
    say(`  ${violation.id} at ${violation.atMs} ms: ${violation.what.slice(0, WORDS_MAX)}`);
}

function showLevels(explored: Explored, seconds: number): void {
  const { levels, schedules, states, branched, pruned, failures } = explored;
  for (const level of levels) {
    const { depth, isComplete } = level;
    say(
      `${depth} deviations: ${level.schedules} schedules, ${isComplete ? 'all of them' : 'not all of them'}, ${level.failures} failed`,
    );
  }
  say(
    `${schedules} schedules in ${seconds.toFixed(0)} s, ${(schedules / seconds).toFixed(1)} a second; ${states} distinct states at its ends, ${branched} at steps deviated from, ${pruned} schedules spared; ${failures.length} failed`,
  );
}

async function exploreProduct(): Promise<boolean> {
  const threads = new Threads(values.workers);
  const beganAtMs = performance.now();
  let toldAtMs = beganAtMs;
  let told = 0;
  try {
    const untilMs = beganAtMs + values.minutes * MINUTE_MS;
    const bounds = {
      schedules: values.schedules,
      depth: values.depth,
      isLate: () => performance.now() > untilMs,
    };
    const explored = await explore(threads, bounds, {
      onFailure: (failure) => {
        if (told++ < TOLD_MAX) void tell(failure);
      },
      onProgress: (schedules, depth) => {
        if (performance.now() - toldAtMs < PROGRESS_MS) return;
        toldAtMs = performance.now();
        const seconds = (toldAtMs - beganAtMs) / SECOND_MS;
        say(
          `${schedules} schedules in ${seconds.toFixed(0)} s, now with ${depth} deviations, ${told} failed`,
        );
      },
    });
    const seconds = (performance.now() - beganAtMs) / SECOND_MS;
    const { failures, levels, schedules, states, branched, pruned } = explored;
    for (const failure of differing(failures).slice(0, values.minimize)) {
      const schedule = await minimizeSchedule(failure, threads);
      say(`\nminimal: npm run prove -- explore --schedule '${idOf(schedule)}'`);
      for (const words of await inWords(schedule)) say(`  ${words}`);
      say(`  ${failure.violations[0]?.id}: ${failure.violations[0]?.what.slice(0, WORDS_MAX)}`);
    }
    showLevels(explored, seconds);
    if (values.json) {
      const rate = Math.round((10 * schedules) / seconds) / 10;
      const failed = failures.map(({ id, violations }) => ({ id, violations: violations.slice(0, 1) }));
      const figures = { schedules, states, branched, pruned, levels };
      const document = { ...figures, failed, seconds: Math.round(seconds), perSecond: rate };
      process.stdout.write(`${JSON.stringify(document)}\n`);
    }
    return failures.length === 0;
  } finally {
    await threads.close();
  }
}

/** One failure of each kind: the same invariant in the same words, numbers aside. */
function differing(failures: readonly Failure[]): readonly Failure[] {
  const kinds = new Map<string, Failure>();
  for (const failure of failures) {
    const [first] = failure.violations;
    const kind = `${first?.id} ${first?.what.replace(/0x[0-9a-f]+|\d+/g, '#')}`;
    if (!kinds.has(kind)) kinds.set(kind, failure);
  }
  return [...kinds.values()];
}

async function show(schedule: Schedule): Promise<boolean> {
  const { violations, states } = await runSchedule(schedule, (line) => say(lineOf(line)));
  for (const words of await inWords(schedule)) say(words);
  say(`states ${states.join(' ')}; ${violations.length} violations`);
  return violations.length === 0;
}

async function judgeMutants(): Promise<boolean> {
  const chosen = MUTANTS.filter(({ id }) => values.only.includes(id));
  const beganAtMs = performance.now();
  const verdicts = await judgeByExploring(chosen, {
    workers: values.workers,
    tries: values.tries,
    product: ownRunners(runSchedule),
    say: ({ id, what, caughtBy, broken, schedules, seconds }) => {
      const how =
        caughtBy === undefined
          ? (broken ?? `stands after ${schedules} schedules`)
          : `falls at ${caughtBy.id} [${caughtBy.invariants.join(' ')}]: ${caughtBy.what.split('\n', 1)[0]?.slice(0, WORDS_MAX / 2)}`;
      say(`${id}: ${what}\n    ${how}, ${seconds} s`);
    },
  });
  const caught = verdicts.filter(({ caughtBy }) => caughtBy !== undefined);
  const seconds = Math.round((performance.now() - beganAtMs) / SECOND_MS);
  say(`${caught.length} of ${verdicts.length} wrong clients fall to the exploration alone, in ${seconds} s`);
  if (values.json) process.stdout.write(`${JSON.stringify({ verdicts, seconds })}\n`);
  return caught.length >= Math.min(CAUGHT_MIN, chosen.length);
}

const isProven =
  values.schedule !== undefined
    ? await show(values.schedule)
    : values.mutants === true
      ? await judgeMutants()
      : await exploreProduct();
process.exit(isProven ? 0 : 1);
