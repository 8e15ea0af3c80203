/**
 * @module
 * Strategy modules from files: TypeScript as it is, by Node's own type stripping, from inside or outside of this
 * installation. Every way in which a plugin can be wrong has a message that names the file and what to do. What this
 * does not do: making an instance; checking parameters.
 */
import { isAbsolute, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { BotError, ConfigError, isRecord, messageOf } from '../../core/index.ts';
import { isStrategyDefinition, type StrategyDefinition } from '../strategy/index.ts';
import { sourceHash } from './source-hash.ts';

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

/** Errors of Node's loader by code: what is wrong, and what to do. */
const LOADER_ERRORS: Readonly<Record<string, { readonly code: string; readonly remedy: string }>> = {
  ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX: {
    code: 'STRATEGY_SYNTAX_NOT_ERASABLE',
    remedy:
      'Types are stripped, not compiled: no enum, no namespace with code, no parameter properties. Use `as const` and plain fields; `erasableSyntaxOnly` in tsconfig finds them.',
  },
  ERR_INVALID_TYPESCRIPT_SYNTAX: {
    code: 'STRATEGY_SYNTAX_INVALID',
    remedy: 'The file is no valid TypeScript; run the type checker on it.',
  },
  ERR_UNSUPPORTED_NODE_MODULES_TYPE_STRIPPING: {
    code: 'STRATEGY_IN_NODE_MODULES',
    remedy:
      'Node does not strip types below node_modules: publish the strategy as JavaScript, or copy it out.',
  },
  ERR_MODULE_NOT_FOUND: {
    code: 'STRATEGY_IMPORT_MISSING',
    remedy: 'Check the imports of the file: relative ones name the file with its extension (./model.ts).',
  },
  ERR_PACKAGE_PATH_NOT_EXPORTED: {
    code: 'STRATEGY_IMPORT_MISSING',
    remedy: 'A strategy imports `ballast/strategy`; other modules of ballast are not for plugins.',
  },
};

/**
 * Loads the strategy in `file`. @throws ConfigError naming the file, for a file that cannot be read, does not parse,
 * imports what is not there, or does not export a strategy by default.
 */
export async function loadStrategy(file: string, load: ImportModule = importModule): Promise<LoadedStrategy> {
  const path = isAbsolute(file) ? file : resolve(file);
  const sha256 = hashOfStrategy(path);
  const url = pathToFileURL(path);
  // A changed file is another module: Node keeps modules by their URL.
  url.searchParams.set('sha256', sha256.slice(0, 16));
  let module: unknown;
  try {
    module = await load(url.href);
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

/** As {@link LoadedStrategy.sha256}, without running any of it. @throws ConfigError `STRATEGY_FILE_UNREADABLE`. */
export function hashOfStrategy(path: string): string {
  try {
    return sourceHash(path);
  } catch (cause) {
    throw new ConfigError({
      code: 'STRATEGY_FILE_UNREADABLE',
      message: `expected a readable strategy at ${path}, but ${messageOf(cause)}`,
      remedy: 'Name the file of the module; bundled ones are in strategies/.',
      cause,
    });
  }
}

function loadError(path: string, cause: unknown): BotError {
  if (cause instanceof BotError) return cause;
  const known = isRecord(cause) || cause instanceof Error ? LOADER_ERRORS[codeOf(cause)] : undefined;
  const isSyntax = cause instanceof SyntaxError;
  return new ConfigError({
    code: known?.code ?? (isSyntax ? 'STRATEGY_SYNTAX_INVALID' : 'STRATEGY_LOAD_FAILED'),
    message: `expected ${path} to load, but ${messageOf(cause)}`,
    remedy: known?.remedy ?? 'Fix what the message names; the module runs as it is loaded.',
    cause,
  });
}

function codeOf(thrown: object): string {
  return 'code' in thrown ? String(thrown.code) : '';
}

function defaultOf(module: unknown): unknown {
  return module !== null && typeof module === 'object' && 'default' in module ? module.default : undefined;
}

function describe(value: unknown): string {
  return typeof value === 'object'
    ? `an object with ${Object.keys(value ?? {}).join(', ') || 'no keys'}`
    : `a ${typeof value}`;
}
