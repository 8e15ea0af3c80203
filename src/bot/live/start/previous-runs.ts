/**
 * @module
 * What previous runs of this bot have left: the records of its journal, and what its strategies saved.
 */
import { existsSync } from 'node:fs';
import type { Log } from '../../../core/index.ts';
import type { AccountSelection } from '../../../domain/index.ts';
import { type JournalRecord, type JournalState, journalPath, readJournal } from '../../journal/index.ts';
import { inMemoryStrategyStore, type StrategyStore } from '../../kernel/index.ts';
import type { Environment } from '../connect/environment.ts';
import { journalBinding } from '../connect/lanes.ts';
import type { SimulatedMachine } from '../connect/machine.ts';
import { fileStrategyStore } from '../connect/strategy-store.ts';

/** Which bot it is, and where its files are. */
export interface PreviousRunsOptions {
  readonly environment: Environment;
  readonly selection: AccountSelection;
  /** Instance name of this bot. */
  readonly instance: string;
  /** The name that it had before; absent: the same. */
  readonly formerInstance?: string | undefined;
  /** Folder of the journals. */
  readonly journalFolder: string;
  readonly log: Log;
  /** The simulated machine; absent: a real one. */
  readonly machine?: SimulatedMachine | undefined;
}

/** Reads the journal as it is when it is called; `undefined`: there is none, this is the first run. */
export function earlierRecords(options: PreviousRunsOptions): (() => Iterable<JournalRecord>) | undefined {
  if (options.machine !== undefined) return options.machine.earlierRecords;
  if (journalIn(options) === undefined) return undefined;
  return () => {
    const path = journalIn(options);
    return path === undefined ? [] : recordsOf(path);
  };
}

/** What the journal of this bot knows, as it is when it is called; `undefined`: there is none. */
export function earlierState(options: PreviousRunsOptions): JournalState | undefined {
  const path = journalIn(options);
  if (path === undefined) return undefined;
  const reader = readJournal(path);
  try {
    return reader.state();
  } finally {
    reader.close();
  }
}

/** The journal of this bot, under the name that it had before until it is taken over; `undefined`: there is none. */
function journalIn(options: PreviousRunsOptions): string | undefined {
  const { environment, selection, instance, formerInstance = instance, journalFolder } = options;
  const paths = [instance, formerInstance].map((name) =>
    journalPath(journalFolder, journalBinding(environment, selection, name)),
  );
  return paths.find((path) => existsSync(path));
}

/** Where strategies save, beside the journal at `path`. */
export function strategyStoreOf({ machine, log }: PreviousRunsOptions, path: string): StrategyStore {
  if (machine === undefined) return fileStrategyStore(path, log);
  return machine.strategyStore ?? inMemoryStrategyStore();
}

function recordsOf(path: string): readonly JournalRecord[] {
  const reader = readJournal(path);
  try {
    return [...reader.records()];
  } finally {
    reader.close();
  }
}
