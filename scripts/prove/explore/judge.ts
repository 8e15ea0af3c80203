/**
 * @module
 * Wrong clients judged by the exploration alone: each in a process of its own, which explores until an invariant is broken.
 * A catch counts when the product passes the same schedule.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import type { Mutant } from '../../../test/mutants/mutant.ts';
import type { Runners } from '../../../test/simulation/explore/explorer.ts';
import type { InvariantId } from '../../../test/simulation/types.ts';
import type { MutantFinding } from './mutant-child.ts';

/** What became of a wrong client. */
export interface ExploreVerdict {
  readonly id: string;
  readonly what: string;
  readonly caughtBy?: {
    readonly id: string;
    readonly invariants: readonly InvariantId[];
    readonly what: string;
  };
  /** Why it could not be judged. */
  readonly broken?: string;
  readonly schedules: number;
  readonly seconds: number;
}

/** Enough for every schedule with one deviation, and some with two. */
const TRIES = 1_500;
const TIMEOUT_MS = 600_000;

/** Judges all of `mutants`, `workers` at a time. */
export async function judgeByExploring(
  mutants: readonly Mutant[],
  options: {
    readonly workers: number;
    readonly tries: number | undefined;
    readonly product: Runners;
    readonly say: (verdict: ExploreVerdict) => void;
  },
): Promise<readonly ExploreVerdict[]> {
  const { tries = TRIES, product } = options;
  const waiting = [...mutants];
  const verdicts: ExploreVerdict[] = [];
  const work = async (): Promise<void> => {
    for (let mutant = waiting.shift(); mutant !== undefined; mutant = waiting.shift()) {
      const verdict = await judgeOne(mutant, tries, product);
      verdicts.push(verdict);
      options.say(verdict);
    }
  };
  await Promise.all(Array.from({ length: options.workers }, work));
  return verdicts;
}

async function judgeOne(mutant: Mutant, tries: number, product: Runners): Promise<ExploreVerdict> {
  const { id, what } = mutant;
  const beganAtMs = performance.now();
  const { failed, broken, schedules } = await explored(mutant, tries);
  const seconds = Math.round((performance.now() - beganAtMs) / 100) / 10;
  const verdict = { id, what, schedules, seconds };
  if (broken !== undefined) return { ...verdict, broken };
  for (const failure of failed) {
    const [own] = await product.run([failure.id]);
    if (own?.violations.length === 0) return { ...verdict, caughtBy: failure };
  }
  return verdict;
}

function explored(mutant: Mutant, tries: number): Promise<MutantFinding> {
  const child: ChildProcess = fork(
    join(import.meta.dirname, 'mutant-child.ts'),
    [JSON.stringify(mutant), String(tries)],
    { execArgv: ['--conditions=ballast-source'], stdio: ['ignore', 'ignore', 'pipe', 'ipc'] },
  );
  let complaint = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    complaint = /^\w*Error: .*$/m.exec(text)?.[0] ?? complaint;
  });
  return new Promise((resolve) => {
    const end = (finding: MutantFinding): void => {
      clearTimeout(timer);
      child.kill('SIGKILL');
      resolve(finding);
    };
    const none = { failed: [], schedules: 0 };
    const timer = setTimeout(() => end({ ...none, broken: `no end after ${TIMEOUT_MS} ms` }), TIMEOUT_MS);
    child.once('message', end);
    child.once('close', (code) => end({ ...none, broken: `the process ended with ${code}: ${complaint}` }));
  });
}
