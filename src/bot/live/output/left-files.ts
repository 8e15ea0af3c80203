/** @module What runs have left in the folder of their records, and what of it the rules of `keep` let go. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../../config/index.ts';
import type { ListedRun } from '../../operator/index.ts';
import { RUN_LOG_FILE } from '../../replay/index.ts';

/** Kinds of what a run leaves. */
type KeptKind = keyof Config['keep'];

/** One file of a run. */
export interface LeftFile {
  readonly path: string;
  readonly kind: KeptKind;
  readonly bytes: number;
  /** When it was written last, Unix ms. */
  readonly atMs: number;
}

/** What one run has left. */
export interface LeftRun {
  readonly runId: string;
  /** True: nothing of it may be deleted. */
  readonly isNeeded: boolean;
  readonly files: readonly LeftFile[];
}

const MB = 1_048_576;
/** A run that goes on writes more often, ms. */
const WRITING_MS = 3_600_000;
/** Ends of the names of what reports, explanations and attestations of a run are made of. */
const RECORDS = ['record.json', 'run.json', '.csv.gz', '.journal.sqlite'] as const;
/** As ids of runs are made. */
const RUN_ID = /^[0-9a-z]{11}$/;

/** The files that the rules let go, the oldest first. */
export function deletable(
  runs: readonly LeftRun[],
  keep: Config['keep'],
  nowMs: number,
): readonly LeftFile[] {
  return (Object.keys(keep) as KeptKind[]).flatMap((kind) => {
    const { age, sizeMb } = keep[kind];
    const files = runs
      .flatMap((run) => run.files.map((file) => ({ ...file, isNeeded: run.isNeeded })))
      .filter((file) => file.kind === kind)
      .sort((a, b) => a.atMs - b.atMs);
    let bytes = files.reduce((sum, file) => sum + file.bytes, 0);
    const gone: LeftFile[] = [];
    for (const { isNeeded, ...file } of files) {
      const isOld = age !== undefined && nowMs - file.atMs > age;
      const isTooMuch = sizeMb !== undefined && bytes > sizeMb * MB;
      if (isNeeded || !(isOld || isTooMuch)) continue;
      bytes -= file.bytes;
      gone.push(file);
    }
    return gone;
  });
}

/** True if a run of the list goes on, or its end is not proven and no later run of its bot has a proven one. */
function isUnsettled(run: ListedRun, listed: readonly ListedRun[]): boolean {
  if (run.ended?.isProven === true) return false;
  return !listed.some(
    (one) => one.name === run.name && one.startedAtMs > run.startedAtMs && one.ended?.isProven === true,
  );
}

/** What runs have left below `folder`. Folders that are none of a run are left out. */
export function leftRuns(folder: string, listed: readonly ListedRun[], nowMs: number): readonly LeftRun[] {
  const unsettled = new Set(listed.filter((run) => isUnsettled(run, listed)).map(({ runId }) => runId));
  const known = new Set(listed.map(({ runId }) => runId));
  return namesIn(folder)
    .filter((runId) => RUN_ID.test(runId))
    .map((runId) => {
      const files = namesIn(join(folder, runId)).flatMap((name) => leftFile(join(folder, runId), name));
      // A run without a door, such as one over a tape, is on no list: that it goes on is seen by what it writes.
      const isWriting = !known.has(runId) && files.some(({ atMs }) => nowMs - atMs < WRITING_MS);
      return { runId, isNeeded: unsettled.has(runId) || isWriting, files };
    });
}

function leftFile(folder: string, name: string): readonly LeftFile[] {
  const kind = kindOf(name);
  const path = join(folder, name);
  const found = kind === undefined ? undefined : statSync(path, { throwIfNoEntry: false });
  return kind === undefined || found?.isFile() !== true
    ? []
    : [{ path, kind, bytes: found.size, atMs: Math.round(found.mtimeMs) }];
}

/** `undefined`: it is of another making, such as the address of the run's door. */
function kindOf(name: string): KeptKind | undefined {
  if (name.startsWith(RUN_LOG_FILE)) return 'runLogs';
  if (RECORDS.some((end) => name.endsWith(end))) return 'records';
  return name === 'control.json' || name === 'guardian.json' ? undefined : 'tapes';
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
