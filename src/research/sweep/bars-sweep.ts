/**
 * @module
 * The section `sweep` of a configuration over bars: the same methods, windows, statistics and document as over a tape,
 * with runs that take milliseconds, so they are made one after the other in this process and nothing is stored.
 */
import { createHash } from 'node:crypto';
import { messageOf, must, sha256 } from '../../core/index.ts';
import type { SweepDocument } from '../../report/index.ts';
import { type BarRun, barsWithin, type ConfiguredBars, type OpenBars, openBars } from '../bars/index.ts';
import { checkAxes, documentOf, settingsOf } from './run-sweep.ts';
import { runSweep } from './sweep.ts';
import { assigned, comparedOf } from './sweep-job.ts';
import type { JobRunner, SweepJob, SweepResult } from './types.ts';

/** What a sweep over bars is made of. */
export interface BarSweepOptions extends ConfiguredBars {
  /** Runs with a result, of those that are asked for so far. */
  readonly onProgress?: (done: number, total: number) => void;
}

const US_PER_MS = 1_000;

/** Runs the section `sweep` of a configuration over bars. @throws ConfigError `SWEEP_...`; as `runConfiguredBars`. */
export async function sweepBars(options: BarSweepOptions): Promise<SweepDocument> {
  const settings = settingsOf(options.source.config);
  const open = await openBars(options);
  checkAxes(settings, open.strategies);
  const { bars, data } = open.loaded;
  let planned = 0;
  let done = 0;
  const outcome = await runSweep(settings, {
    span: {
      fromMs: (bars.openUs[0] ?? 0) / US_PER_MS,
      toMs: ((bars.openUs.at(-1) ?? 0) + bars.barUs) / US_PER_MS,
    },
    runner: runnerOf(open),
    known: new Map(),
    keyOf: ({ parameters, fromMs, toMs }) => sha256(JSON.stringify([parameters, fromMs, toMs])).slice(0, 32),
    onResult: () => options.onProgress?.(++done, planned),
    onPlan: (jobs) => {
      planned = jobs;
    },
  });
  return documentOf(settings, outcome, must(data[0], 'the data of the bars'));
}

function runnerOf(open: OpenBars): JobRunner {
  return {
    run: async (jobs, onResult) => {
      for (const job of jobs) onResult(resultOf(open, job));
    },
    close: async () => undefined,
  };
}

function resultOf(open: OpenBars, { key, parameters, fromMs, toMs }: SweepJob): SweepResult {
  try {
    const { name } = open.strategy;
    const strategy = assigned(open.strategies, parameters).find((one) => one.name === name);
    const bars = barsWithin(open.loaded.bars, { fromMs, toMs });
    const { record, run } = open.run(must(strategy, `the strategy ${name}`), bars);
    return { key, ...comparedOf(record), decisionHash: hashOf(run) };
  } catch (thrown) {
    // What one combination does wrong is its own result: the others continue.
    return { key, error: messageOf(thrown) };
  }
}

/** Over what was wanted and what was filled, bar by bar. */
function hashOf({ wantedLots, fills }: BarRun): string {
  const hash = createHash('sha256');
  for (const column of [wantedLots, fills.bar, fills.lots, fills.priceTicks])
    hash.update(new Uint8Array(column.buffer, column.byteOffset, column.byteLength));
  return hash.digest('hex');
}
