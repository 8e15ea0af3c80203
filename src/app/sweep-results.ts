/**
 * @module
 * The results of a sweep on disk: one line a job, written as it comes, so that a sweep that was killed goes on where it
 * was. A line is known by its job's key alone: results of other parameters, code or tapes do no harm.
 */
import { appendFileSync, existsSync, mkdirSync, readFileSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import type { SweepJob, SweepResult } from '../backtest/index.ts';
import { BotError } from '../core/index.ts';

/** The file of results in the folder of a sweep. */
export const RESULTS_FILE = 'results.jsonl';

/** Results of earlier runs, and a place for new ones. */
export interface SweepResults {
  readonly known: Map<string, SweepResult>;
  /** Bytes of a last line that a killed process had begun, cut off. */
  readonly cutBytes: number;
  keep(result: SweepResult, job: SweepJob): void;
}

/** Opens the folder, made when it is not there. @throws BotError `SWEEP_RESULTS_DAMAGED` naming the line. */
export function openResults(folder: string): SweepResults {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, RESULTS_FILE);
  const known = new Map<string, SweepResult>();
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  const cutBytes = Buffer.byteLength(text) - Buffer.byteLength(whole);
  if (cutBytes > 0) truncateSync(file, Buffer.byteLength(whole));
  for (const [at, line] of whole.split('\n').slice(0, -1).entries()) {
    const result = resultOf(line);
    if (result === undefined) throw damaged(file, at + 1, line);
    known.set(result.key, result);
  }
  return {
    known,
    cutBytes,
    keep: (result, { assignment, window, part }) =>
      appendFileSync(file, `${JSON.stringify({ ...result, assignment, window, part })}\n`),
  };
}

function resultOf(line: string): SweepResult | undefined {
  try {
    const { key, figures, decisionHash, failure } = JSON.parse(line) as Record<string, unknown>;
    if (typeof key !== 'string') return undefined;
    if (typeof failure === 'string') return { key, failure };
    if (typeof decisionHash !== 'string' || typeof figures !== 'object' || figures === null) return undefined;
    return { key, figures: figures as Record<string, number | null>, decisionHash };
  } catch {
    return undefined;
  }
}

function damaged(file: string, line: number, found: string): BotError {
  return new BotError({
    code: 'SWEEP_RESULTS_DAMAGED',
    message: `expected a result in line ${line} of ${file}, found ${JSON.stringify(found.slice(0, 80))}`,
    remedy: 'Remove the line, or take another folder with --out: what is missing is run again.',
  });
}
