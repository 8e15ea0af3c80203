/**
 * @module
 * Judges defects: the check that a defect names must fail and name its rule, and the same check must pass at the exchange
 * as it is. Each wrong exchange has a process of its own.
 */
import { fork } from 'node:child_process';
import { join } from 'node:path';
import type { SuiteReport } from '../../src/conformance/suite.ts';
import type { Defect } from './defect.ts';

/** How long one process may take. */
const PROCESS_MS_MAX = 300_000;

/** What became of a defect. */
export interface Verdict {
  readonly id: string;
  readonly check: string;
  readonly what: string;
  readonly isCaught: boolean;
  /** The rule that the failed check named, and what it found; or why it was not caught. */
  readonly detail: string;
}

/** Runs checks at a wrong exchange, or at the right one. Rejects when the process ends without a report. */
export function examine(defect: Defect | undefined, only: string): Promise<SuiteReport> {
  const about = defect === undefined ? 'none' : JSON.stringify(defect);
  const child = fork(join(import.meta.dirname, 'child.ts'), [about, only], {
    execArgv: ['--conditions=ballast-source'],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let complaint = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    complaint = /^\w*Error: .*$/m.exec(text)?.[0] ?? complaint;
  });
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => child.kill('SIGKILL'), PROCESS_MS_MAX);
    let report: SuiteReport | undefined;
    child.once('message', (message) => {
      report = message as SuiteReport;
    });
    child.once('close', (code) => {
      clearTimeout(timer);
      if (report === undefined) reject(new Error(`the process ended with ${code}: ${complaint}`));
      else resolve(report);
    });
  });
}

/** Judges all of `defects`, `workers` at a time; tells each verdict as it comes. */
export async function judge(
  defects: readonly Defect[],
  options: { readonly workers: number; readonly say: (verdict: Verdict) => void },
): Promise<readonly Verdict[]> {
  const right = await examine(undefined, [...new Set(defects.map(({ check }) => check))].join(','));
  const unfit = new Map(
    right.checks.filter(({ result }) => result !== 'passed').map((one) => [one.id, one.detail]),
  );
  const waiting = [...defects];
  const verdicts: Verdict[] = [];
  const work = async (): Promise<void> => {
    for (let defect = waiting.shift(); defect !== undefined; defect = waiting.shift()) {
      const verdict = await judgeOne(defect, unfit.get(defect.check));
      verdicts.push(verdict);
      options.say(verdict);
    }
  };
  await Promise.all(Array.from({ length: options.workers }, work));
  return verdicts;
}

async function judgeOne(defect: Defect, unfit: string | undefined): Promise<Verdict> {
  const { id, check, what } = defect;
  if (unfit !== undefined)
    return { id, check, what, isCaught: false, detail: `does not pass without it: ${unfit}` };
  try {
    const [one] = (await examine(defect, check)).checks;
    const isCaught = one?.id === check && one.result === 'failed';
    const detail = isCaught ? `${one.rule} ${one.detail}` : `${one?.result ?? 'no check'} with it`;
    return { id, check, what, isCaught, detail };
  } catch (thrown) {
    return { id, check, what, isCaught: false, detail: String(thrown) };
  }
}
