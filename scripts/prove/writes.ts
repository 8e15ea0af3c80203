/**
 * @module
 * Many writes in virtual time through the real lanes, while answers get lost, requests vanish and requests come late:
 * nothing is executed twice, and every write and intent has a proven end.
 *
 * Usage: npm run prove -- writes [--count 1000000] [--seed 1] [--json]
 */
import { parentPort, Worker, workerData } from 'node:worker_threads';
import { jsonOption } from '../../src/cli/terminal/options.ts';
import { readOptions, whole } from '../options.ts';
import type { SegmentVerdict } from './writes/judge.ts';
import { runSegment } from './writes/segment.ts';

/** What a whole run showed. Times in ms, virtual but for `seconds`. */
export interface WritesReport {
  readonly writes: number;
  readonly duplicates: number;
  readonly unterminated: number;
  readonly misjudged: number;
  readonly fenced: number;
  /** Of vanished writes: from the first receipt that could be had to the end that the fence proves. */
  readonly fenceMs: Quantiles;
  /** Of writes that arrived unanswered or late: likewise, to the end that their receipt proves. */
  readonly resolveMs: Quantiles;
  readonly seconds: number;
  /** What is not as it must be. */
  readonly failures: readonly string[];
}

/** How often it came, and how long it took. */
export interface Quantiles {
  readonly count: number;
  readonly p50: number;
  readonly p99: number;
}

/** 5 % lost answers and 1 % late deliveries; half a percent never arrives. */
export const LOSSES = { lostAnswers: 0.05, lateDeliveries: 0.01, vanished: 0.005 } as const;
const LANES = 32;
/** An exchange keeps its log in memory: it is begun again after so many writes. */
const SEGMENT_WRITES = 20_000;
const PROCESSES = 2;
const FENCE_MS_MAX = 3_000;

/** Writes in segments of at most {@link SEGMENT_WRITES}. */
function segmentsOf(count: number): readonly number[] {
  const whole = Math.floor(count / SEGMENT_WRITES);
  const rest = count % SEGMENT_WRITES;
  return [...Array.from({ length: whole }, () => SEGMENT_WRITES), ...(rest === 0 ? [] : [rest])];
}

/** One segment with the losses of the goal. */
export function segment(seed: number, writes: number): Promise<SegmentVerdict> {
  return runSegment({ seed, writes, lanes: Math.min(LANES, writes), losses: LOSSES });
}

/** What segments show together. */
export function reportOf(verdicts: readonly SegmentVerdict[], seconds: number): WritesReport {
  const sum = (pick: (verdict: SegmentVerdict) => number) =>
    verdicts.reduce((total, verdict) => total + pick(verdict), 0);
  const fenceMs = quantiles(verdicts.flatMap((verdict) => verdict.fenceMs));
  const counts = {
    writes: sum((verdict) => verdict.writes),
    duplicates: sum((verdict) => verdict.duplicates),
    unterminated: sum((verdict) => verdict.unterminated),
    misjudged: sum((verdict) => verdict.misjudged),
    fenced: sum((verdict) => verdict.fenced),
  };
  const unproven = verdicts.filter((verdict) => !verdict.isBookEmpty).length;
  const facts: readonly (readonly [boolean, string])[] = [
    [counts.duplicates === 0, `${counts.duplicates} duplicate executions`],
    [counts.unterminated === 0, `${counts.unterminated} writes or intents without a terminal state`],
    [counts.misjudged === 0, `${counts.misjudged} intents with another end than the exchange has`],
    [unproven === 0, `${unproven} segments without the proof that no order is open`],
    [fenceMs.p99 <= FENCE_MS_MAX, `fences took ${fenceMs.p99} ms at p99, at most ${FENCE_MS_MAX}`],
  ];
  return {
    ...counts,
    fenceMs,
    resolveMs: quantiles(verdicts.flatMap((verdict) => verdict.resolveMs)),
    seconds,
    failures: facts.filter(([holds]) => !holds).map(([, what]) => what),
  };
}

function quantiles(values: readonly number[]): Quantiles {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number) => Math.round(sorted[Math.ceil(sorted.length * share) - 1] ?? 0);
  return { count: sorted.length, p50: at(0.5), p99: at(0.99) };
}

async function runAll(count: number, firstSeed: number): Promise<WritesReport> {
  const beganAtMs = performance.now();
  const waiting = segmentsOf(count).map((writes, at) => ({ writes, seed: firstSeed + at }));
  const total = waiting.length;
  const verdicts: SegmentVerdict[] = [];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      verdicts.push(await inWorker(next));
      process.stderr.write(`segment ${verdicts.length} of ${total}\n`);
    }
  };
  await Promise.all(Array.from({ length: PROCESSES }, work));
  return reportOf(verdicts, Math.round((performance.now() - beganAtMs) / 1000));
}

function inWorker(task: { readonly seed: number; readonly writes: number }): Promise<SegmentVerdict> {
  const worker = new Worker(new URL(import.meta.url), { workerData: task });
  return new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });
}

async function main(): Promise<void> {
  const values = readOptions({
    count: whole('Writes', { min: 1, otherwise: 1_000_000 }),
    seed: whole('Of the first part', { otherwise: 1 }),
    json: jsonOption,
  });
  const report = await runAll(values.count, values.seed);
  const { writes, fenceMs, resolveMs, failures } = report;
  const words = `${writes} writes in ${report.seconds} s: ${resolveMs.count} resolved (p50 ${resolveMs.p50} ms, p99 ${resolveMs.p99} ms), ${fenceMs.count} vanished and fenced (p50 ${fenceMs.p50} ms, p99 ${fenceMs.p99} ms); ${failures.length === 0 ? 'all as it must be' : failures.join('; ')}`;
  process.stdout.write(`${values.json ? JSON.stringify(report) : words}\n`);
  process.exitCode = failures.length === 0 ? 0 : 1;
}

if (import.meta.main) {
  if (parentPort === null) await main();
  else {
    const { seed, writes } = workerData as { readonly seed: number; readonly writes: number };
    parentPort.postMessage(await segment(seed, writes));
  }
}
