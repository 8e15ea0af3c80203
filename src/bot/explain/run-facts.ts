/**
 * @module
 * What later commands must know of a run and cannot find out: where its journal is. One file in the folder of the run, which
 * only its owner can read.
 */
import { copyFileSync, existsSync, renameSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import {
  BotError,
  formatJson,
  isRecord,
  type Log,
  makeFolder,
  messageOf,
  PRIVATE_FOLDER,
  parseJson,
  readRegularFile,
} from '../../core/index.ts';
import { journalFiles } from '../journal/index.ts';
import type { ExplainedRun } from './sources.ts';

/** What is kept of a run. */
interface RunFacts {
  /** Version of the file's layout. */
  readonly schema: 1;
  readonly runId: string;
  /** Path of the journal. */
  readonly journal: string;
  /** What `ballast attest` needs, as the room of live runs has written it; absent: the run has not ended. */
  readonly attest?: object;
}

const FILE = 'run.json';
const FILE_BYTES_MAX = 1 << 24;

/** Writes the facts of a run into its folder. A disk that fails is logged and ends nothing. */
export function keepRunFacts(folder: string, facts: RunFacts, log: Log): void {
  const file = join(folder, FILE);
  try {
    makeFolder(folder, PRIVATE_FOLDER);
    writeFileSync(`${file}.new`, `${formatJson(facts)}\n`, { mode: 0o600 });
    renameSync(`${file}.new`, file);
  } catch (cause) {
    log.error('the facts of the run could not be kept', { file, error: messageOf(cause) });
  }
}

/** The facts in the folder of a run; `undefined`: there are none that can be read. */
export function readRunFacts(folder: string): RunFacts | undefined {
  try {
    const read: unknown = parseJson(readRegularFile(join(folder, FILE), FILE_BYTES_MAX));
    const isOurs = isRecord(read) && read['schema'] === 1 && typeof read['journal'] === 'string';
    return isOurs ? (read as unknown as RunFacts) : undefined;
  } catch (cause) {
    // None was written, or it is no document: as if there were none.
    if (cause instanceof BotError || cause instanceof Error) return undefined;
    throw cause;
  }
}

/** Keeps a copy of a journal that is closed in the folder of its run, for journals that go with their run. */
export function keepJournalCopy(folder: string, journal: string, log: Log): void {
  try {
    for (const file of journalFiles(journal)) copyFileSync(file, join(folder, basename(file)));
  } catch (cause) {
    log.error('the journal of the run could not be kept beside its log', { folder, error: messageOf(cause) });
  }
}

/** The files of a run in `folder`, for `explain`. */
export function explainedRun(runId: string, folder: string): ExplainedRun {
  const journal = readRunFacts(folder)?.journal;
  const isThere = journal === undefined || existsSync(journal);
  return { runId, folder, journal: isThere ? journal : join(folder, basename(journal)) };
}
