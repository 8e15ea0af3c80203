/**
 * @module
 * The runs of this user on this machine, one file each: what `ballast runs` lists and where every command finds a run by its
 * name. A run that did not end itself has no end here.
 */
import { readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import {
  BotError,
  formatJson,
  isRecord,
  makeFolder,
  nearestName,
  PRIVATE_FOLDER,
  parseJson,
  readRegularFile,
} from '../../core/index.ts';
import type { RunAbout, RunEnd } from './ports.ts';

/** A run of the list. */
export interface ListedRun extends RunAbout {
  /** Absent: it goes on, or did not end itself. */
  readonly ended?: RunEnd;
}

/** Runs that ended are kept up to this number. */
const ENDED_MAX = 200;
const FILE_BYTES_MAX = 65_536;

/** Where the list is; `stateHome` is the folder that the environment names. */
export function runsFolder(stateHome: string | undefined): string {
  return stateHome === undefined ? join(homedir(), '.ballast', 'runs') : join(stateHome, 'ballast', 'runs');
}

/** Puts a run on the list, and takes the oldest ended ones off. @throws what the file system answers. */
export function listRun(folder: string, run: ListedRun): void {
  makeFolder(folder, PRIVATE_FOLDER);
  const file = fileOf(folder, run.runId);
  writeFileSync(`${file}.new`, `${formatJson(run)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
  const ended = listedRuns(folder).filter((one) => one.ended !== undefined);
  for (const { runId } of ended.slice(ENDED_MAX)) rmSync(fileOf(folder, runId), { force: true });
}

/** All runs, newest first. What is not the file of a run is left out. */
export function listedRuns(folder: string): readonly ListedRun[] {
  let names: readonly string[];
  try {
    names = readdirSync(folder);
  } catch {
    return [];
  }
  return names
    .filter((name) => name.endsWith('.json'))
    .flatMap((name) => readListed(join(folder, name)))
    .sort((a, b) => b.startedAtMs - a.startedAtMs || (a.runId < b.runId ? 1 : -1));
}

/**
 * The run that `asked` means: an id, the name of a bot, or `latest`, of any bot. The newest that goes on counts, else the
 * newest. @throws BotError `OPERATOR_RUN_UNKNOWN`.
 */
export function findRun(folder: string, asked: string): ListedRun {
  const runs = listedRuns(folder);
  const named = asked === 'latest' ? runs : runs.filter(({ name }) => name === asked);
  const found =
    runs.find(({ runId }) => runId === asked) ??
    named.find((run) => run.ended === undefined && isAlive(run)) ??
    named[0];
  if (found !== undefined) return found;
  const known = [...new Set(runs.map(({ name }) => name))];
  const nearest = nearestName([...known, ...runs.map(({ runId }) => runId)], asked);
  const hint = nearest === undefined ? '' : `; most like it: ${nearest}`;
  throw new BotError({
    code: 'OPERATOR_RUN_UNKNOWN',
    message: `expected latest, the name of a bot or the id of a run, got ${JSON.stringify(asked)}; known are ${known.slice(0, 10).join(', ') || 'no runs'}${hint}`,
    remedy: '`ballast runs` lists them; report, replay and calibrate take a folder as well, such as ./run.',
  });
}

/** How the newest run of the same bot before this one ended, in words; `undefined`: in order, or there was none. */
export function formerEnd(
  folder: string,
  { runId, name }: Pick<RunAbout, 'runId' | 'name'>,
): string | undefined {
  const former = listedRuns(folder).find((run) => run.name === name && run.runId !== runId);
  if (former === undefined) return undefined;
  const { ended } = former;
  if (ended === undefined) return `run ${former.runId} before it has not ended itself`;
  const isGood = ended.isProven && ended.isAsked === true && ended.halted === undefined;
  const halted = ended.halted === undefined ? '' : `; halted by then: ${ended.halted}`;
  return isGood ? undefined : `run ${former.runId} before it ended: ${ended.reason}${halted}`;
}

/** True if the process of a run lives, or another one that has its number by now. */
export function isAlive({ processId }: ListedRun): boolean {
  try {
    return process.kill(processId, 0);
  } catch (thrown) {
    return thrown instanceof Error && 'code' in thrown && thrown.code === 'EPERM';
  }
}

function readListed(file: string): readonly ListedRun[] {
  try {
    const read: unknown = parseJson(readRegularFile(file, FILE_BYTES_MAX));
    return isListed(read) ? [read] : [];
  } catch {
    // Removed by now, or in the making.
    return [];
  }
}

function isListed(read: unknown): read is ListedRun {
  if (!isRecord(read)) return false;
  const texts = ['runId', 'name', 'mode', 'environment', 'config', 'folder'];
  return (
    texts.every((key) => typeof read[key] === 'string') &&
    typeof read['startedAtMs'] === 'number' &&
    typeof read['processId'] === 'number' &&
    (read['ended'] === undefined || isRecord(read['ended']))
  );
}

function fileOf(folder: string, runId: string): string {
  return join(folder, `${runId}.json`);
}
