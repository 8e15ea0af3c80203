/** @module `ballast sweep`: results on disk as they come, then a table, a CSV file and a heat map. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig } from '../../config/index.ts';
import { ConfigError, makeFolder, SystemClock } from '../../core/index.ts';
import { describeSweep, heatMapOf, type SweepDocument, sweepCsv } from '../../report/index.ts';
import { queueRunner, sweepConfiguration } from '../compose/index.ts';
import { EXIT } from '../exit-codes.ts';
import { writeDocument, writeLine } from '../output.ts';
import { progressBar } from '../progress-bar.ts';
import { writing } from '../report-files.ts';

/** What `sweep` takes. */
export interface SweepCommandOptions {
  readonly config: string;
  readonly tape: string;
  readonly out: string;
  readonly workers: number | undefined;
  readonly redis: string | undefined;
  readonly seed: number | undefined;
  /** A file of `ballast calibrate`. */
  readonly calibration: string | undefined;
  readonly isJson: boolean;
}

/** Runs it and tells. @throws as {@link tellSweep}; ConfigError, BotError as `sweepConfiguration`. */
export async function sweep(options: SweepCommandOptions): Promise<number> {
  const { config, tape, out, workers, redis, seed, calibration, isJson } = options;
  const bar = progressBar('backtests', new SystemClock(), {
    isTerminal: process.stderr.isTTY === true,
    columns: () => process.stderr.columns || 120,
    write: (text) => void process.stderr.write(text),
  });
  const document = await sweepConfiguration({
    ...{ source: loadConfig(config), tape, out, workers, seed, calibration },
    ...(redis === undefined ? {} : { runnerOf: (setup) => queueRunner(redis, setup) }),
    onProgress: (done, total) => bar.show(done, total),
  });
  bar.end();
  return tellSweep(document, { out, isJson });
}

/** Writes the files of a sweep into the folder `out` and tells of it. @throws ConfigError `SWEEP_NOTHING_SUCCEEDED`. */
export function tellSweep(
  document: SweepDocument,
  { out, isJson }: Pick<SweepCommandOptions, 'out' | 'isJson'>,
): number {
  const files = [['sweep.csv', sweepCsv(document)] as const];
  const map = heatMapOf(document);
  if (map !== undefined) files.push(['heat-map.svg', map] as never);
  writing(out, () => {
    makeFolder(out);
    for (const [name, text] of files) writeFileSync(join(out, name), text);
  });
  if (isJson) writeDocument(document);
  else {
    writeLine(describeSweep(document));
    writeLine(`written: ${files.map(([name]) => join(out, name)).join(', ')}`);
  }
  if (document.rows.some(({ figures }) => figures !== null)) return EXIT.ok;
  throw new ConfigError({
    code: 'SWEEP_NOTHING_SUCCEEDED',
    message: `expected a backtest that succeeds, found ${document.rows.length} that failed`,
    remedy:
      'The table says why each failed; `ballast backtest` or `ballast bars` with the same configuration says more.',
  });
}
