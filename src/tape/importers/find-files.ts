/**
 * @module The files that an import reads: files as they were named, and of folders those whose names belong to the
 * format. Other files beside them (a README, checksums) are ignored and reported.
 */
import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { ConfigError, messageOf } from '../../core/index.ts';

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

/** Names in an error before it is cut. */
const NAMES_SHOWN_MAX = 8;

/**
 * Finds the files of a format by the patterns of their names; `expected` says the patterns to people.
 * @throws ConfigError when a path cannot be read, a file has another name, or nothing is found.
 */
export async function findFiles(
  paths: readonly string[],
  patterns: RegExp | readonly RegExp[],
  expected: string,
): Promise<FoundFiles> {
  const files: NamedFile[] = [];
  const ignored: string[] = [];
  for (const path of paths) {
    const names = await namesIn(path);
    if (names === undefined) {
      const file = named(path, [patterns].flat());
      if (file === undefined) throw unknownFile(path, expected);
      files.push(file);
      continue;
    }
    for (const name of names) {
      const file = named(join(path, name), [patterns].flat());
      // A folder may be called like a file.
      if (file === undefined || (await namesIn(file.path)) !== undefined) ignored.push(name);
      else files.push(file);
    }
  }
  if (files.length === 0) throw nothingFound(paths, ignored, expected);
  files.sort((a, b) => compareText(basename(a.path), basename(b.path)));
  return { files, ignored };
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
    remedy: 'Name another format, or give the file the name under which it was recorded.',
    details: { file: path },
  });
}

function nothingFound(paths: readonly string[], ignored: readonly string[], expected: string): ConfigError {
  const shown = ignored.length > NAMES_SHOWN_MAX ? [...ignored.slice(0, NAMES_SHOWN_MAX), '…'] : ignored;
  return new ConfigError({
    code: 'TAPE_FOLDER_UNKNOWN',
    message: `expected files named ${expected} in ${paths.join(', ')}, got ${shown.length === 0 ? 'an empty folder' : shown.join(', ')}`,
    remedy: 'Give the folder that holds the recorded files, or the format they have.',
  });
}

/** Order of code units: the same on every machine. */
function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
