/**
 * @module
 * Deletes what old runs have left, by age and size of each kind. What a run that goes on or is not settled still needs
 * stays, and so does every journal. It works between two turns, file by file, on the threads of the file system.
 */
import { rm } from 'node:fs/promises';
import type { Config } from '../../../config/index.ts';
import { type Clock, type Log, messageOf } from '../../../core/index.ts';
import { listedRuns, runsFolder } from '../../operator/index.ts';
import { deletable, leftRuns } from './left-files.ts';

const PERIOD_MS = 3_600_000;

/** Deletes now and each hour; the function it returns ends that. */
export function keepTidy(options: KeepingOptions, runId: string): () => void {
  const { source, clock, recordFolder, machine } = options;
  const isAsked = Object.values(source.config.keep).some((rule) => Object.keys(rule).length > 0);
  if (recordFolder === undefined || machine !== undefined || !isAsked) return () => undefined;
  const look = (): void => void sweep({ ...options, recordFolder }, runId);
  look();
  const timer = clock.every(PERIOD_MS, look);
  return () => timer.cancel();
}

/** What is deleted, and what tells of it. */
export interface KeepingOptions {
  readonly source: { readonly config: Pick<Config, 'keep'> };
  readonly clock: Clock;
  readonly log: Log;
  readonly recordFolder: string | undefined;
  /** Folder of the user's state; `undefined`: the user's own. */
  readonly lockFolder?: string | undefined;
  /** A simulated machine keeps nothing. */
  readonly machine?: unknown;
}

async function sweep(
  { source, clock, log, recordFolder, lockFolder }: KeepingOptions & { readonly recordFolder: string },
  runId: string,
): Promise<void> {
  try {
    const listed = listedRuns(runsFolder(lockFolder));
    const runs = leftRuns(recordFolder, listed, clock.nowMs()).map((run) =>
      run.runId === runId ? { ...run, isNeeded: true } : run,
    );
    const files = deletable(runs, source.config.keep, clock.nowMs());
    for (const { path } of files) await rm(path, { force: true });
    if (files.length === 0) return;
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
    log.info('what old runs have left was deleted', { bytes, files: files.map(({ path }) => path) });
  } catch (cause) {
    log.warn('what old runs have left could not be deleted', { why: messageOf(cause) });
  }
}
