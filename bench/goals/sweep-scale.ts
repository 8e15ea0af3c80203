/**
 * @module
 * A sweep on two cores beside the same sweep on one, each typed as a user does and starts included: backtests share
 * nothing, so a second core must give nearly twice the rate. Says nothing on a machine of one core,
 * or on one whose second core belongs to somebody else meanwhile. Two cores come before one and behind it: what the
 * machine gives changes within minutes (decision 0007).
 */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { SweepDocument } from '../../src/report/index.ts';
import { type SweepScene, sweepScene } from '../../test/support/sweep-scene.ts';
import { type GroupResult, type Limit, missed, reached } from '../goal.ts';
import { rounded, Samples } from '../measure.ts';
import { showTable } from '../show.ts';

const LIMIT: Limit = {
  id: 'SWEEP',
  what: 'a sweep on two cores, its rate to that on one',
  limit: 1.8,
  better: 'higher',
};
const TAPE_MINUTES = 480;
const ONE = 'one core';
const TWO = 'two cores';
const LAUNCHER = join(import.meta.dirname, '..', '..', 'bin', 'ballast.mjs');
/** What binds a process and its threads to cores. */
const TASKSET = '/usr/bin/taskset';

/** Measures it. */
export async function sweepScale(): Promise<GroupResult> {
  const [first, second] = coresOfThisProcess();
  if (first === undefined || second === undefined)
    return { goals: [missed(LIMIT, `expected two cores and ${TASKSET}`)], figures: {} };
  const scene = sweepScene(TAPE_MINUTES);
  const took = new Samples();
  let backtests = 0;
  try {
    writeFileSync(scene.config, wider(scene.text));
    const both = [TWO, [first, second]] as const;
    for (const [round, [name, cores]] of [both, [ONE, [first]] as const, both].entries()) {
      const beganAtMs = performance.now();
      backtests = await sweepOn(cores, scene, join(scene.folder, String(round)));
      took.add(name, performance.now() - beganAtMs);
    }
  } finally {
    scene.remove();
  }
  showTable(`a sweep of ${backtests} backtests, ms`, took.rows(TWO));
  return {
    goals: [reached(LIMIT, took.median(ONE) / took.median(TWO))],
    figures: {
      'sweep, backtests': backtests,
      'sweep on two cores, ms': rounded(took.median(TWO)),
    },
  };
}

/** Runs it on `cores`, with a thread for each of them; how many backtests it made. */
async function sweepOn(cores: readonly number[], { config, tape }: SweepScene, out: string): Promise<number> {
  const typed = ['sweep', config, '--tape', tape, '--seed', '1', '--json', '--out', out];
  const { stdout } = await promisify(execFile)(
    TASKSET,
    ['--cpu-list', cores.join(), process.execPath, LAUNCHER, ...typed],
    { maxBuffer: 2 ** 26 },
  );
  const { rows } = JSON.parse(stdout) as SweepDocument;
  if (rows.some(({ error }) => error !== null)) throw new Error('expected every backtest to succeed');
  return rows.length;
}

/** The cores that this process may run on, where it can be bound to some of them: none elsewhere. */
function coresOfThisProcess(): readonly number[] {
  if (!existsSync(TASKSET)) return [];
  const list = /^Cpus_allowed_list:\s*(\S+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '';
  return list.split(',').flatMap((span) => {
    const [from = 0, to = from] = span.split('-').map(Number);
    return Array.from({ length: to - from + 1 }, (_, at) => from + at);
  });
}

/**
 * A table of twelve by twelve and no test part: nothing waits for a choice. It takes minutes, so that what each thread does once
 * is a small part: it starts, and it compiles what backtests run, which takes as long as five of them.
 */
function wider(text: string): string {
  return text
    .replace('values: [20, 60, 200]', 'values: [20, 40, 60, 80, 100, 120, 140, 160, 180, 200, 220, 240]')
    .replace('{ from: 0, to: 20, step: 20 }', '{ from: 0, to: 55, step: 5 }')
    .replace('trainFraction: 0.5', 'trainFraction: 0');
}
