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
  /** Folder of the journals. */
  readonly journalFolder: string;
  readonly log: Log;
  /** The simulated machine; absent: a real one. */
  readonly machine?: SimulatedMachine | undefined;
}

/** Reads the journal as it is when it is called; `undefined`: there is none, this is the first run. */
export function earlierRecords(options: PreviousRunsOptions): (() => Iterable<JournalRecord>) | undefined {
  const { environment, selection, instance, journalFolder, machine } = options;
  if (machine !== undefined) return machine.earlierRecords;
  const path = journalPath(journalFolder, journalBinding(environment, selection, instance));
  return existsSync(path) ? () => recordsOf(path) : undefined;
}

/** What the journal of this bot knows, as it is when it is called; `undefined`: there is none. */
export function earlierState(options: PreviousRunsOptions): JournalState | undefined {
  const { environment, selection, instance, journalFolder } = options;
  const path = journalPath(journalFolder, journalBinding(environment, selection, instance));
  if (!existsSync(path)) return undefined;
  const reader = readJournal(path);
  try {
    return reader.state();
  } finally {
    reader.close();
  }
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
