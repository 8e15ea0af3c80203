/**
 * @module The best run of each window of a sweep, ready to be used: its configuration as YAML, and the record of its
 * backtest over the part that no choice used, or over the whole window.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PreparedStrategy } from '../../bot/setup/index.ts';
import { type ConfigSource, yamlWith } from '../../config/index.ts';
import { makeFolder } from '../../core/index.ts';
import { type SweepDocument, saveRun } from '../../report/index.ts';
import { backtestOptionsOf, bandedRecord, type Calibrated, runBacktest } from '../backtest/index.ts';
import { assigned } from './sweep-job.ts';

/** What the best runs are made of. */
export interface BestRunParts {
  readonly source: ConfigSource;
  readonly strategies: readonly PreparedStrategy[];
  /** Folder of the tape. */
  readonly tape: string;
  /** Folder of the sweep. */
  readonly out: string;
  readonly seed: number;
  readonly calibrated: Calibrated | undefined;
}

/** Writes `best-<window>.yaml` and the record `best-<window>` for each window that has a best run. */
export function keepBest(parts: BestRunParts, { windows }: Pick<SweepDocument, 'windows'>): void {
  const { source, strategies, tape, out, seed, calibrated } = parts;
  for (const { window, train, test, best } of windows) {
    if (best === null) continue;
    const name = join(out, `best-${window + 1}`);
    makeFolder(out);
    writeFileSync(`${name}.yaml`, yamlWith(source, best.parameters, { folder: out, tape }));
    const planned = { source, tape, seed, calibrated, ...(test ?? train) };
    const { record } = runBacktest(backtestOptionsOf(planned, assigned(strategies, best.parameters)));
    saveRun(name, bandedRecord(record, calibrated));
  }
}
