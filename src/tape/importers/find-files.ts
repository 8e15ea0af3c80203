/**
 * @module The files that an import reads: files as they were named, and of folders those whose names belong to the
 * format. Other files beside them (a README, checksums) are ignored and reported. A file that is named twice, in whatever
 * way, is read once; two files of one market with the same rows are refused.
 */
import { createHash } from 'node:crypto';
import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { ConfigError, messageOf, ProtocolError } from '../../core/index.ts';
import { recordingAt } from '../format/index.ts';
import type { ImportCounts } from './import-counts.ts';
import { readUnpacked, unreadable } from './lines.ts';
import { inverseMarket, isInverse } from './venues/inverse.ts';

/** A file and what its name says. */
export interface NamedFile {
  /** Path of the file. */
  readonly path: string;
  /** Which of the patterns its name has. */
  readonly pattern: number;
  /** The groups of the name's pattern. */
  readonly parts: Readonly<Record<string, string>>;
}

/** The files of an import, in order of their names. */
export interface FoundFiles {
  /** Files to import, in order. */
  readonly files: readonly NamedFile[];
  /** Names in the folders that do not belong to the format. */
  readonly ignored: readonly string[];
}

/** How an import finds its files. */
export interface FileSearch {
  /** Files, or folders. */
  readonly paths: readonly string[];
  /** What names of files look like, with their parts as groups. */
  readonly patterns: readonly RegExp[];
  /** The patterns for people. */
  readonly expected: string;
  readonly counts: ImportCounts;
}

/** Names in an error before it is cut. */
const NAMES_SHOWN_MAX = 8;
/** So much of a file tells it from most others. */
const BEGINNING_BYTES = 4_096;

/**
 * Finds the files of a format by the patterns of their names.
 * @throws ConfigError when a path cannot be read, a file has another name, nothing is found, or two files are the same.
 */
export async function findFiles({ paths, patterns, expected, counts }: FileSearch): Promise<FoundFiles> {
  const files: NamedFile[] = [];
  const ignored: string[] = [];
  for (const path of paths) {
    const names = await namesIn(path);
    if (names === undefined) {
      const file = named(path, patterns);
      if (file === undefined)
        throw isInverse(basename(path)) ? inverseMarket(path) : unknownFile(path, expected);
      files.push(file);
      continue;
    }
    for (const name of names) {
      const file = named(join(path, name), patterns);
      // A folder may be called like a file.
      if (file === undefined || (await namesIn(file.path)) !== undefined) ignored.push(name);
      else files.push(file);
    }
  }
  const inverse = [...files.map(({ path }) => basename(path)), ...ignored].find(isInverse);
  if (inverse !== undefined) throw inverseMarket(inverse);
  if (files.length === 0) throw nothingFound(paths, ignored, expected);
  const different = await differentFiles(files);
  if (different.length < files.length) counts.add('filesRepeated', files.length - different.length);
  await refuseCopies(different);
  different.sort((a, b) => compareText(basename(a.path), basename(b.path)));
  return { files: different, ignored };
}

/** The files without those that are one of them again: the same path, a link, another spelling. */
async function differentFiles(files: readonly NamedFile[]): Promise<NamedFile[]> {
  const known = new Map<string, NamedFile>();
  for (const file of files) {
    const { dev, ino } = await stat(file.path, { bigint: true });
    // Some file systems number no files.
    const key = ino === 0n ? await realpath(file.path) : `${dev} ${ino}`;
    if (!known.has(key)) known.set(key, file);
  }
  return [...known.values()];
}

/** @throws ConfigError when two files of one market have the same rows, packed or not. */
async function refuseCopies(files: readonly NamedFile[]): Promise<void> {
  const alike = new Map<string, NamedFile[]>();
  for (const file of files) {
    const beginning = await beginningOf(file);
    if (beginning === undefined) continue;
    const group = alike.get(beginning);
    if (group === undefined) alike.set(beginning, [file]);
    else group.push(file);
  }
  for (const group of alike.values()) {
    const known = new Map<string, NamedFile>();
    for (const file of group.length === 1 ? [] : group) {
      const hash = await hashOf(file);
      const first = known.get(hash);
      if (first !== undefined) throw copiedFile(first, file);
      known.set(hash, file);
    }
  }
}

/** The market and the first bytes of a file as a key; `undefined`: there is no row in it after a header. */
async function beginningOf({ path, parts }: NamedFile): Promise<string | undefined> {
  for await (const chunk of unpacked(path)) {
    const text = chunk.subarray(0, BEGINNING_BYTES).toString('latin1');
    const isHeaderOnly = chunk.length < BEGINNING_BYTES && text.trim().split(/[\r\n]+/).length < 2;
    return isHeaderOnly ? undefined : `${parts['symbol'] ?? parts['feed'] ?? ''} ${text}`;
  }
  return undefined;
}

async function hashOf({ path }: NamedFile): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of unpacked(path)) hash.update(chunk);
  return hash.digest('hex');
}

/** @throws ProtocolError when the file cannot be read. */
async function* unpacked(path: string): AsyncGenerator<Buffer> {
  try {
    yield* readUnpacked(path);
  } catch (cause) {
    throw cause instanceof ProtocolError ? cause : unreadable({ file: path, line: 0 }, cause);
  }
}

function copiedFile(first: NamedFile, second: NamedFile): ConfigError {
  return new ConfigError({
    code: 'TAPE_FILE_REPEATED',
    message: `expected files with different rows, got the same in ${first.path} and ${second.path}`,
    remedy: 'Name one of them only: rows that are read twice would double the tape.',
    details: { files: [first.path, second.path] },
  });
}

/**
 * The files by the group `symbol` of their names; of `wanted` only when it is given.
 * @throws ConfigError when no file is of that market.
 */
export function filesByMarket(
  files: readonly NamedFile[],
  wanted: string | undefined,
): ReadonlyMap<string, readonly NamedFile[]> {
  const byMarket = new Map<string, NamedFile[]>();
  for (const file of files) {
    const symbol = file.parts['symbol'] ?? '';
    byMarket.set(symbol, [...(byMarket.get(symbol) ?? []), file]);
  }
  if (wanted === undefined) return byMarket;
  const found = [...byMarket].find(([symbol]) => symbol.toUpperCase() === wanted.toUpperCase());
  if (found !== undefined) return new Map([found]);
  throw new ConfigError({
    code: 'TAPE_SYMBOL_UNKNOWN',
    message: `expected files of ${wanted}, got ${[...byMarket.keys()].join(', ')}`,
    remedy: 'Name a market that the files carry, or leave --symbol out to import all.',
  });
}

function named(path: string, patterns: readonly RegExp[]): NamedFile | undefined {
  for (const [pattern, expression] of patterns.entries()) {
    const match = expression.exec(basename(path));
    if (match !== null) return { path, pattern, parts: { ...match.groups } };
  }
  return undefined;
}

/** The sorted names in a folder; `undefined` for a file. */
async function namesIn(path: string): Promise<readonly string[] | undefined> {
  try {
    return (await stat(path)).isDirectory() ? (await readdir(path)).sort(compareText) : undefined;
  } catch (cause) {
    throw new ConfigError({
      code: 'TAPE_PATH_UNREADABLE',
      message: `expected a recorded file or a folder of them at ${path}, got nothing readable (${messageOf(cause)})`,
      remedy: 'Give paths of files that exist, or of the folder that holds them.',
      cause,
    });
  }
}

function unknownFile(path: string, expected: string): ConfigError {
  return new ConfigError({
    code: 'TAPE_FILE_UNKNOWN',
    message: `expected a file named ${expected}, got ${basename(path)}`,
    remedy: remedyFor(path, 'Name another format, or give the file the name under which it was recorded.'),
    details: { file: path },
  });
}

function nothingFound(paths: readonly string[], ignored: readonly string[], expected: string): ConfigError {
  const shown = ignored.length > NAMES_SHOWN_MAX ? [...ignored.slice(0, NAMES_SHOWN_MAX), '…'] : ignored;
  return new ConfigError({
    code: 'TAPE_FOLDER_UNKNOWN',
    message: `expected files named ${expected} in ${paths.join(', ')}, got ${shown.length === 0 ? 'an empty folder' : shown.join(', ')}`,
    remedy: remedyFor(paths[0], 'Give the folder that holds the recorded files, or the format they have.'),
  });
}

/** What to do with files of another format. */
function remedyFor(path: string | undefined, otherwise: string): string {
  if (path === undefined) return otherwise;
  if (path.endsWith('.zip')) return `Unpack it first: unzip ${path}`;
  return recordingAt(path)?.remedy ?? otherwise;
}

/** Order of code units: the same on every machine. */
function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
