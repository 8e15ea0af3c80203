/**
 * @module
 * The lock of a configuration: a file beside it with every file that its strategies load and the hash of each, as
 * `ballast config check --lock` found them. Where it stands, every command that loads these strategies obeys it.
 */
import { renameSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { ConfigError, isRecord, messageOf, parseJson, readRegularFile, sha256 } from '../../core/index.ts';
import type { CodeSet } from './pinned-code.ts';
import { bytesOf } from './source-hash.ts';

const LOCK_BYTES_MAX = 4_194_304;
const SHA256 = /^[0-9a-f]{64}$/;

/** Where the lock of the configuration in `file` is. */
export function lockFileOf(file: string): string {
  return `${file}.lock.json`;
}

/** Writes the lock of the configuration in `file`. @throws ConfigError `STRATEGY_LOCK_UNWRITABLE`. */
export function writeLock(file: string, code: CodeSet): void {
  const path = lockFileOf(file);
  const entries = Array.from(code, ([one, hash]) => [nameIn(path, one), hash] as const);
  const files = Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
  try {
    // A reader meanwhile has the old one or the new one, never a part.
    writeFileSync(`${path}.new`, `${JSON.stringify({ schema: 1, files }, undefined, 2)}\n`);
    renameSync(`${path}.new`, path);
  } catch (cause) {
    throw new ConfigError({
      code: 'STRATEGY_LOCK_UNWRITABLE',
      message: `expected to write ${path}, but ${messageOf(cause)}`,
      remedy: 'Check the folder, its rights and the disk.',
      cause,
    });
  }
}

/** The code of the lock of the configuration in `file`; `undefined`: it has none. @throws ConfigError `STRATEGY_LOCK_UNREADABLE`. */
export function readLock(file: string): CodeSet | undefined {
  const path = lockFileOf(file);
  let read: unknown;
  try {
    read = parseJson(readRegularFile(path, LOCK_BYTES_MAX));
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return undefined;
    throw unreadable(path, messageOf(cause), cause);
  }
  const files = isRecord(read) && read['schema'] === 1 ? read['files'] : undefined;
  if (!isRecord(files)) throw unreadable(path, 'it has no schema 1 with files');
  return new Map(
    Object.entries(files).map(([name, hash]) => {
      if (typeof hash === 'string' && SHA256.test(hash)) return [join(dirname(path), name), hash];
      throw unreadable(path, `${name} has no SHA-256`);
    }),
  );
}

/**
 * Refuses code that differs from the lock of the configuration in `file`; none of it has run. `code`: what its strategies
 * are made of now. @throws ConfigError `STRATEGY_CODE_UNLOCKED` with every difference.
 */
export function refuseUnlocked(file: string, locked: CodeSet, code: CodeSet): void {
  const path = lockFileOf(file);
  const differences = [
    ...Array.from(locked).flatMap(([one, hash]) => {
      const now = code.get(one) ?? hashOf(one);
      if (now === hash) return [];
      return [`${nameIn(path, one)} ${now === undefined ? 'cannot be read' : 'is changed'}`];
    }),
    ...[...code.keys()].filter((one) => !locked.has(one)).map((one) => `${nameIn(path, one)} is added`),
  ];
  if (differences.length === 0) return;
  throw new ConfigError({
    code: 'STRATEGY_CODE_UNLOCKED',
    message: `expected the code that ${path} locks, but ${differences.slice(0, DIFFERENCES_MAX).join(', ')}`,
    remedy: `Read what has changed, then write the lock again: ballast config check --lock ${basename(file)}`,
  });
}

/** The most differences that an error names. */
const DIFFERENCES_MAX = 20;

function hashOf(path: string): string | undefined {
  try {
    return sha256(bytesOf(path));
  } catch {
    return undefined;
  }
}

/** A file as the lock names it: the same on every machine that has the folder. */
function nameIn(path: string, file: string): string {
  return relative(dirname(path), file).replaceAll(sep, '/');
}

function unreadable(path: string, why: string, cause?: unknown): ConfigError {
  return new ConfigError({
    code: 'STRATEGY_LOCK_UNREADABLE',
    message: `expected the lock of strategies in ${path}, but ${why}`,
    remedy: 'Read the code, and write the lock again with `ballast config check --lock`; or delete it.',
    ...(cause === undefined ? {} : { cause }),
  });
}
