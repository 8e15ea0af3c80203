/**
 * @module
 * The bot and its journal under every death: each step J1 to J28 as crash and as power loss, in the simulation and,
 * where only the file has it, in the real journal; a commit that fails at every n, the real journal on a full disk, and
 * with torn and changed bytes, whole bots under SIGKILL. Prints `{cases, violations}`.
 *
 * Usage: npm run prove -- crash [--only steps,file-steps,commits,damages,files,bytes,bots] [--seeds 3]
 *   [--from 1] [--step J4] [--commits 200] [--kills 57] [--flips 2000] [--cuts 800] [--bots 3] [--json]
 */
import { once } from 'node:events';
import { parentPort, Worker } from 'node:worker_threads';
import { jsonOption } from '../../src/cli/terminal/options.ts';
import { must } from '../../src/core/index.ts';
import { STEPS } from '../../test/simulation/steps.ts';
import { readOptions, someOf, whole } from '../options.ts';
import { tryBytes } from './crash/bytes.ts';
import {
  type CrashCase,
  type CrashResult,
  commitCases,
  damageCases,
  deathCases,
  nameOf,
  runCase,
} from './crash/case.ts';
import { loseInFiles } from './crash/file-losses.ts';
import { fillDisks, killInFiles, type PartResult } from './crash/files.ts';
import { runKills } from './kills.ts';

/** What the command prints. */
interface CrashReport {
  readonly cases: number;
  readonly violations: number;
  readonly seconds: number;
  /** What was done and found, by part. */
  readonly parts: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly failures: readonly string[];
}

const PROCESSES = 2;
const FULL_EVERY_KIB = 4;
const PARTS = ['steps', 'file-steps', 'commits', 'damages', 'files', 'bytes', 'bots'] as const;
const ONLY = { death: 'steps', commit: 'commits', damage: 'damages' } as const;
const DIED = 'deaths';

/** Runs cases in two threads, in any order. */
async function runCases(cases: readonly CrashCase[]): Promise<readonly CrashResult[]> {
  const waiting = [...cases];
  const results: CrashResult[] = [];
  const work = async (): Promise<void> => {
    const worker = new Worker(new URL(import.meta.url));
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const result = await asked(worker, next);
      const replay = replayOf(next);
      results.push({ ...result, violations: result.violations.map((what) => `${replay}: ${what}`) });
      if (results.length % 50 === 0) process.stderr.write(`${results.length} of ${cases.length} cases\n`);
    }
    await worker.terminate();
  };
  await Promise.all(Array.from({ length: PROCESSES }, work));
  return results;
}

async function asked(worker: Worker, one: CrashCase): Promise<CrashResult> {
  const answer = once(worker, 'message');
  worker.postMessage(one);
  const [result] = await answer;
  return result as CrashResult;
}

/** What repeats a case. */
function replayOf(one: CrashCase): string {
  const step = one.kind === 'death' ? ` --step ${one.step}` : '';
  return `${nameOf(one)}: --only ${ONLY[one.kind]}${step} --from ${one.seed} --seeds 1`;
}

/** What cases show together. What no seed reaches is a failure: nothing was tried there. */
function partOf(results: readonly CrashResult[]): PartResult {
  const counts: Record<string, number> = {};
  const add = (what: string, by: number): void => {
    counts[what] = (counts[what] ?? 0) + by;
  };
  for (const { name, isReached, deaths, openAtStart, ordersAtDeath } of results) {
    add(name, isReached ? 1 : 0);
    add(DIED, deaths);
    add('writes open at a start', openAtStart);
    add('deaths with orders in the book', ordersAtDeath);
  }
  const names = new Set(results.map(({ name }) => name));
  return {
    cases: results.filter(({ isReached }) => isReached).length,
    counts,
    violations: [
      ...results.flatMap(({ violations }) => violations),
      ...[...names].filter((name) => counts[name] === 0).map((name) => `no case reached ${name}`),
    ],
  };
}

async function main(): Promise<void> {
  const values = readOptions({
    only: someOf('Only these parts', PARTS),
    seeds: whole('Of each step and damage', { min: 1, otherwise: 3 }),
    from: whole('The first of them', { otherwise: 1 }),
    step: someOf(
      'Only these steps, and no other part',
      STEPS.map(({ id }) => id),
    ),
    commits: whole('Which of the first commits of a life fail', { min: 1, otherwise: 200 }),
    kills: whole('Deaths of each kind in each step of the journal file', { min: 1, otherwise: 57 }),
    flips: whole('Bytes flipped', { min: 10, otherwise: 2_000 }),
    cuts: whole('Places where a journal is cut', { min: 1, otherwise: 800 }),
    bots: whole('Whole bots killed', { min: 1, otherwise: 3 }),
    json: jsonOption,
  });
  const beganAtMs = performance.now();
  const { from, seeds, flips, cuts } = values;
  const steps = STEPS.filter(({ id }) => values.step.includes(id));
  const only = steps.length < STEPS.length ? ['steps'] : values.only;
  const work: Readonly<Record<(typeof PARTS)[number], () => Promise<PartResult> | PartResult>> = {
    steps: async () => partOf(await runCases(deathCases({ from, seeds, steps }))),
    commits: async () => allReached(await runCases(commitCases(values.commits))),
    damages: async () => partOf(await runCases(damageCases(from, seeds))),
    'file-steps': async () => joined(await killInFiles(values.kills, from), loseInFiles(values.kills, from)),
    files: () => fillDisks(FULL_EVERY_KIB),
    bytes: () => tryBytes({ seed: from, flips, cuts, losses: Math.ceil(flips / 10) }),
    bots: () => killBots(values.bots, from),
  };
  const results: [string, PartResult][] = [];
  for (const name of PARTS) {
    if (!only.includes(name)) continue;
    const part = await work[name]();
    process.stderr.write(`${name}: ${part.cases} cases, ${part.violations.length} violations\n`);
    results.push([name, part]);
  }
  const report = reportOf(results, Math.round((performance.now() - beganAtMs) / 1000));
  process.stdout.write(values.json ? `${JSON.stringify(report)}\n` : textOf(report));
  process.exitCode = report.violations === 0 && report.cases > 0 ? 0 : 1;
}

/** As {@link partOf}, where each case must come to what it is about: the n-th commit of a life, for all n. */
function allReached(results: readonly CrashResult[]): PartResult {
  const part = partOf(results);
  const missed = results.length - part.cases;
  if (missed === 0) return part;
  return { ...part, violations: [...part.violations, `${missed} commits came in no life`] };
}

/** Whole bots in processes of their own, killed while they quote; their exchange lives on. */
async function killBots(kills: number, seed: number): Promise<PartResult> {
  const run = await runKills({ kills, seed, say: (line) => void process.stderr.write(`${line}\n`) });
  const orders = run.kills.reduce((sum, kill) => sum + kill.orders, 0);
  const counts = { kills: run.kills.length, 'orders in the book at a kill': orders };
  return { cases: run.kills.length, counts, violations: run.failures };
}

function joined(...parts: readonly PartResult[]): PartResult {
  return {
    cases: parts.reduce((sum, { cases }) => sum + cases, 0),
    violations: parts.flatMap(({ violations }) => violations),
    counts: Object.assign({}, ...parts.map(({ counts }) => counts)),
  };
}

function reportOf(results: readonly (readonly [string, PartResult])[], seconds: number): CrashReport {
  const failures = results.flatMap(([, { violations }]) => violations);
  return {
    cases: results.reduce((sum, [, { cases }]) => sum + cases, 0),
    violations: failures.length,
    seconds,
    parts: Object.fromEntries(results.map(([name, { counts }]) => [name, counts])),
    failures,
  };
}

function textOf({ cases, violations, seconds, parts, failures }: CrashReport): string {
  const lines = Object.entries(parts).flatMap(([name, counts]) => [
    name,
    ...Object.entries(counts).map(([what, count]) => `  ${String(count).padStart(7)}  ${what}`),
  ]);
  return `${[...lines, ...failures, `${cases} cases, ${violations} violations, ${seconds} s`].join('\n')}\n`;
}

if (import.meta.main) {
  if (parentPort === null) await main();
  else {
    const port = must(parentPort, 'the port of a worker');
    port.on('message', (one: CrashCase) => {
      runCase(one).then(
        (result) => port.postMessage(result),
        (error: unknown) => {
          throw error;
        },
      );
    });
  }
}
