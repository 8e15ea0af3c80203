/**
 * @module
 * What a run on a gateway leaves for reports: collected while it continues, kept in its folder beside the recording, and
 * shown to the caller that asked for it. A disk that fails is reported and never ends a run in another way.
 */
import { join } from 'node:path';
import type { ConfigSource } from '../../../config/index.ts';
import { type Clock, type Log, messageOf } from '../../../core/index.ts';
import type { RunRecord } from '../../../domain/index.ts';
import { createRunCollector, type RunCollector, type RunIdentity } from '../../../report/collect/index.ts';
import { saveRun } from '../../../report/index.ts';
import type { PreparedStrategy } from '../../setup/index.ts';
import { hashesOf } from '../../setup/index.ts';

/** Is given what a run leaves. */
export type RecordTaker = (record: RunRecord) => void;

/** A collector of a run, and where its record goes. */
export interface RunCollecting {
  readonly collector: RunCollector;
  /** Ends the collection. Once. */
  finish(): void;
}

/** Begins to collect. A run of a simulated machine is not looked at, unless its record is asked for. */
export function collectRun(
  options: {
    readonly source: ConfigSource;
    readonly mode: RunIdentity['mode'];
    readonly clock: Clock;
    readonly log: Log;
    readonly recordFolder: string | undefined;
    readonly machine?: unknown;
    readonly onRecord?: RecordTaker | undefined;
  },
  run: Pick<RunIdentity, 'runId' | 'seed' | 'collateralDecimals'> & {
    readonly strategies: readonly PreparedStrategy[];
  },
): RunCollecting | undefined {
  const { source, mode, clock, log, recordFolder, machine, onRecord } = options;
  if (machine !== undefined && onRecord === undefined) return undefined;
  const { strategies, ...named } = run;
  const identity = {
    ...named,
    ...hashesOf(source, strategies, 'exchange'),
    mode,
    tapes: [],
    assumptions: [],
  };
  const collector = createRunCollector({ clock, identity });
  const folder = runFolderOf(source, recordFolder, run.runId);
  return {
    collector,
    finish: () => {
      const record = collector.finish();
      if (folder !== undefined) keepRecord(folder, record, log);
      onRecord?.(record);
    },
  };
}

/** Keeps the record of a run in its folder. */
export function keepRecord(folder: string, record: RunRecord, log: Log): void {
  try {
    saveRun(folder, record);
    log.info('the record of the run is kept', { folder });
  } catch (cause) {
    log.error('the record of the run could not be kept', { folder, error: messageOf(cause) });
  }
}

/** The folder of a run below that of all recordings; `undefined` where nothing is recorded. */
export function runFolderOf(
  { config }: ConfigSource,
  recordFolder: string | undefined,
  runId: string,
): string | undefined {
  return config.record.enabled && recordFolder !== undefined ? join(recordFolder, runId) : undefined;
}
