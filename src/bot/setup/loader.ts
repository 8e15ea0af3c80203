/**
 * @module
 * Strategy modules from files: TypeScript as it is, by Node's own type stripping, from inside or outside of this
 * installation. Every way in which a plugin can be wrong has a message that names the file and what to do. What this
 * does not do: making an instance; checking parameters.
 */
import { isAbsolute, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ConfigError, whyUnreadable } from '../../core/index.ts';
import { isStrategyDefinition, type StrategyDefinition } from '../strategy/index.ts';
import { loadGuarded } from './guarded-load.ts';
import { loadInstalledStrategies } from './installed-strategies.ts';
import { loadError } from './load-error.ts';
import { type CodeSet, codeOf } from './pinned-code.ts';
import { sourceHash, sourcesOf } from './source-hash.ts';

/** A strategy with where it came from. */
export interface LoadedStrategy {
  readonly definition: StrategyDefinition;
  /** Absolute. */
  readonly file: string;
  /** Of its code, with the files that it imports by relative paths: runs name it, so that a change of it is seen. */
  readonly sha256: string;
}

/** Imports a module by its URL; another one in tests. */
export type ImportModule = (url: string) => Promise<unknown>;

const importModule: ImportModule = (url) => import(/* @vite-ignore */ url);

loadInstalledStrategies();

/**
 * Loads the strategy in `file`. @throws ConfigError naming the file and the location of the error, for a file that cannot
 * be read, does not parse, imports what is not there, never ends loading, ends the process, or does not export a strategy
 * by default.
 */
export async function loadStrategy(file: string, load: ImportModule = importModule): Promise<LoadedStrategy> {
  const path = isAbsolute(file) ? file : resolve(file);
  const sha256 = hashOfStrategy(path);
  const url = urlOf(path, sha256);
  let module: unknown;
  try {
    module = await loadGuarded(path, () => load(url.href));
  } catch (cause) {
    throw loadError(path, cause);
  }
  const definition = defaultOf(module);
  if (definition === undefined)
    throw new ConfigError({
      code: 'STRATEGY_EXPORT_MISSING',
      message: `expected a default export in ${path}, got none`,
      remedy: 'Write `export default defineStrategy({ ... })`.',
    });
  if (!isStrategyDefinition(definition))
    throw new ConfigError({
      code: 'STRATEGY_EXPORT_WRONG',
      message: `expected the default export of ${path} to be made by defineStrategy, got ${describe(definition)}`,
      remedy: 'Write `export default defineStrategy({ ... })`, imported from `ballast/strategy`.',
    });
  return { definition, file: path, sha256 };
}

/** The hash with which each file was loaded first in this process. */
const firstHashes = new Map<string, string>();

/**
 * The URL of a module. A changed file is another module, for Node keeps modules by their URL. The first one has no query:
 * debuggers set breakpoints by file and line.
 */
function urlOf(path: string, sha256: string): URL {
  const url = pathToFileURL(path);
  const first = firstHashes.get(path) ?? sha256;
  firstHashes.set(path, first);
  if (sha256 !== first) url.searchParams.set('sha256', sha256.slice(0, 16));
  return url;
}

/** The files of a strategy as its hash covers them: its own first, then those that are imported by relative paths. */
export function filesOfStrategy(path: string): readonly string[] {
  return reading(path, () => sourcesOf(path).map(([file]) => file));
}

/** The same files with the hash of each. @throws ConfigError `STRATEGY_FILE_UNREADABLE`. */
export function codeOfStrategy(path: string): CodeSet {
  return reading(path, () => codeOf(path));
}

/** As {@link LoadedStrategy.sha256}, without running any of it. @throws ConfigError `STRATEGY_FILE_UNREADABLE`. */
export function hashOfStrategy(path: string): string {
  return reading(path, () => sourceHash(path));
}

function reading<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    throw new ConfigError({
      code: 'STRATEGY_FILE_UNREADABLE',
      message: `expected a readable strategy at ${path}, but ${whyUnreadable(path, cause)}`,
      remedy: 'Name the file of the module; bundled ones are in strategies/.',
      cause,
    });
  }
}

/** What compilers make of `export default` in CommonJS stands below a second `default`. */
function defaultOf(module: unknown): unknown {
  const [outer, inner] = [memberOf(module), memberOf(memberOf(module))];
  return !isStrategyDefinition(outer) && isStrategyDefinition(inner) ? inner : outer;
}

function memberOf(module: unknown): unknown {
  return module !== null && typeof module === 'object' && 'default' in module ? module.default : undefined;
}

function describe(value: unknown): string {
  return typeof value === 'object'
    ? `an object with ${Object.keys(value ?? {}).join(', ') || 'no keys'}`
    : `a ${typeof value}`;
}
