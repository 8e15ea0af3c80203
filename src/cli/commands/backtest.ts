/** @module `ballast backtest`: the result as text or as a document; the same backtest gives the same document. */

import { loadConfig } from '../../config/index.ts';
import { SystemClock } from '../../core/index.ts';
import { createLog } from '../../core/telemetry/index.ts';
import { describeRun, jsonOfRun } from '../../report/index.ts';
import { runConfiguredBacktest } from '../compose/index.ts';
import { EXIT } from '../exit-codes.ts';
import { writeDocument, writeLine } from '../output.ts';
import { progressBar } from '../progress-bar.ts';
import { writeReportFiles } from '../report-files.ts';

/** What `backtest` takes. */
export interface BacktestCommandOptions {
  readonly config: string;
  readonly tape: string;
  readonly fromMs: number | undefined;
  readonly toMs: number | undefined;
  readonly seed: number | undefined;
  /** A file of `ballast calibrate`. */
  readonly calibration: string | undefined;
  /** A file for the page, a folder for the record. */
  readonly html: string | undefined;
  readonly out: string | undefined;
  readonly isJson: boolean;
  readonly isVerbose: boolean;
}

/** Runs it and tells. */
export async function backtest(options: BacktestCommandOptions): Promise<number> {
  const { tape, fromMs, toMs, seed, calibration, html, out, isJson, isVerbose } = options;
  const clock = new SystemClock();
  const isTerminal = process.stderr.isTTY === true;
  const bar = progressBar('rows', clock, {
    isTerminal,
    columns: () => process.stderr.columns || 120,
    write: (text) => void process.stderr.write(text),
  });
  // What a strategy or a control says in ten hours would bury the result: only what is wrong is told unasked.
  const { log } = createLog({ level: isVerbose ? 'debug' : 'error', file: undefined, isPretty: isTerminal });
  const beganAtMs = clock.monotonicMs();
  const { record, rows, decisionHash } = await runConfiguredBacktest({
    ...{ source: loadConfig(options.config), tape, fromMs, toMs, seed, calibration, log },
    onProgress: (done, total) => bar.show(done, total),
  });
  bar.end();
  const tookMs = clock.monotonicMs() - beganAtMs;
  if (isTerminal || isVerbose) process.stderr.write(`${rows} rows in ${(tookMs / 1_000).toFixed(1)} s\n`);
  writeReportFiles(record, { html, out });
  if (isJson) writeDocument({ ...jsonOfRun(record), rows, decisionHash });
  else {
    writeLine(describeRun(record));
    writeLine(`${'decisions'.padEnd(12)}${decisionHash}`);
  }
  return record.residual === 0n ? EXIT.ok : EXIT.failure;
}
