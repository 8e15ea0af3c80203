/** @module What later questions need of a run on a gateway: where its journal is, and the journal itself where that goes with the run. */
import { join, resolve } from 'node:path';
import type { Log } from '../../../core/index.ts';
import { explain, keepJournalCopy, keepRunFacts, questionOf } from '../../explain/index.ts';

/** The files of one run. */
export interface RunFiles {
  /** Answers a question about its past. @throws BotError `EXPLAIN_...`. */
  explain(words: readonly string[]): object;
  /** The run has ended and its journal is closed. */
  end(): void;
}

/** Keeps where the journal of a run is; `undefined`: the run leaves no files. */
export function runFilesOf(
  options: {
    readonly mode: string;
    readonly recordFolder: string | undefined;
    readonly machine?: unknown;
    readonly log: Log;
  },
  { path: journal }: { readonly path: string },
  runId: string,
): RunFiles | undefined {
  const { mode, recordFolder, machine, log } = options;
  if (recordFolder === undefined || machine !== undefined) return undefined;
  const folder = join(recordFolder, runId);
  keepRunFacts(folder, { schema: 1, runId, journal: resolve(journal) }, log);
  return {
    explain: (words) => explain({ runId, folder, journal }, questionOf(words)),
    // The journal of an account that is gone with its exchange is removed with it.
    end: () => {
      if (mode !== 'live') keepJournalCopy(folder, journal, log);
    },
  };
}
