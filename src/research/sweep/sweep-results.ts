/**
 * @module The results of a sweep on disk: one line a job, written as it comes, so that a sweep that was killed resumes
 * where it was. A line is known by its job's key only: results of other parameters, code or tapes do no harm. What
 * failed is run again: the reason may have passed.
 */
import { appendFileSync, closeSync, openSync, readFileSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { BotError, makeFolder, messageOf } from '../../core/index.ts';
import type { SweepJob, SweepResult, SweepSuccess } from './types.ts';

/** The file of results in the folder of a sweep. */
const RESULTS_FILE = 'results.jsonl';

/** Results of earlier runs, and appends new ones. */
export interface SweepResults {
  /** Results of earlier runs by job key. */
  readonly known: Map<string, SweepResult>;
  /** Bytes of a last line that a killed process had begun, cut off. */
  readonly cutBytes: number;
  /** @throws BotError `SWEEP_RESULTS_UNWRITABLE`. */
  keep(result: SweepResult, job: SweepJob): void;
}

/**
 * Opens the folder, made when it is not there.
 * @throws BotError `SWEEP_RESULTS_DAMAGED` naming the line; `SWEEP_RESULTS_UNWRITABLE` when the folder cannot be used.
 */
export function openResults(folder: string): SweepResults {
  const file = join(folder, RESULTS_FILE);
  const bytes = writable(folder, () => {
    makeFolder(folder);
    // Before hours of backtests: what cannot be written is found out now.
    closeSync(openSync(file, 'a'));
    return readFileSync(file);
  });
  const wholeBytes = bytes.lastIndexOf('\n') + 1;
  const cutBytes = bytes.length - wholeBytes;
  const whole = bytes.toString('utf8', 0, wholeBytes);
  const known = new Map<string, SweepResult>();
  const lines = whole.split('\n').slice(0, -1);
  for (const [at, line] of lines.entries()) {
    const result = resultOf(line);
    if (result === undefined) throw damaged(file, at + 1, line);
    if ('error' in result) known.delete(result.key);
    else known.set(result.key, result);
  }
  if (cutBytes > 0) {
    const truncated = bytes.toString('utf8', wholeBytes);
    // A file of another program is left as it is.
    if (!truncated.startsWith('{')) throw damaged(file, lines.length + 1, truncated);
    writable(folder, () => truncateSync(file, wholeBytes));
  }
  return {
    known,
    cutBytes,
    keep: (result, { parameters, window, part }) =>
      writable(folder, () =>
        appendFileSync(file, `${JSON.stringify({ ...result, parameters, window, part })}\n`),
      ),
  };
}

function writable<T>(folder: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw new BotError({
      code: 'SWEEP_RESULTS_UNWRITABLE',
      message: `expected a folder for results at ${folder}, but ${messageOf(cause)}`,
      remedy: 'Name with --out a folder that exists or can be created, is writable and has free space.',
      cause,
    });
  }
}

function resultOf(line: string): SweepResult | undefined {
  try {
    const parsed = JSON.parse(line) as Record<string, unknown> & Partial<SweepSuccess>;
    const { key, statistics, annualReason, failure, course, decisionHash, error } = parsed;
    if (typeof key !== 'string') return undefined;
    if (typeof error === 'string') return { key, error };
    if (typeof decisionHash !== 'string' || typeof statistics !== 'object' || statistics === null)
      return undefined;
    // Of a version whose annual figures had no least number of returns, or that did not know failures.
    if (annualReason === undefined || failure === undefined || course === undefined)
      return { key, error: 'made by an earlier version' };
    return { key, statistics, annualReason, failure, course, decisionHash };
  } catch {
    return undefined;
  }
}

function damaged(file: string, line: number, found: string): BotError {
  return new BotError({
    code: 'SWEEP_RESULTS_DAMAGED',
    message: `expected a result in line ${line} of ${file}, got ${JSON.stringify(found.slice(0, 80))}`,
    remedy: 'Remove the line, or take another folder with --out: what is missing is run again.',
  });
}
