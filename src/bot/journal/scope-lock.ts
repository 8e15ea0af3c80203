/**
 * @module
 * Who may sign in a nonce scope: one process, over all environments' files in one folder of the user. The lock is an
 * SQLite file held by `BEGIN EXCLUSIVE`; the kernel frees it the moment its process dies, whatever the reason
 * (obligation O35). It does not reach over several hosts: that takes a store with fencing tokens.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { BotError, isRecord, makeFolder, messageOf, PRIVATE_FOLDER, sha256 } from '../../core/index.ts';

/** A lock that is held. */
export interface ScopeLock {
  /** The file's path. */
  readonly path: string;
  /** Lets go; again, this does nothing. */
  release(): void;
}

/** What a scope is locked by. */
export interface ScopeLockSettings {
  /** One per user; {@link defaultLockFolder} unless the configuration names another. */
  readonly folder: string;
  /** Chain id and domain, as one text. */
  readonly environment: string;
  /** The nonce scope: `agent:0x...`. */
  readonly scope: string;
  /** Who holds it, for the message a second one gets: the instance's name. */
  readonly holder: string;
}

/** The folder of locks of this user. */
export function defaultLockFolder(): string {
  return join(homedir(), '.ballast', 'locks');
}

/** Takes a scope for this process. @throws BotError `JOURNAL_SCOPE_LOCKED` when another one has it (exit code 75). */
export function lockScope(settings: ScopeLockSettings): ScopeLock {
  const { folder } = settings;
  return takeFileLock(join(folder, `${nameOf(settings)}.lock`), wordsOf(settings));
}

/**
 * Takes a scope on this machine, whatever folder a bot keeps its locks in and wherever it has its copy of the key. On Linux
 * by a name that the kernel frees with its process; elsewhere this does nothing.
 * @throws BotError `JOURNAL_SCOPE_LOCKED` when another process has it (exit code 75).
 */
export async function lockScopeOnMachine(settings: Omit<ScopeLockSettings, 'folder'>): Promise<ScopeLock> {
  const path = `ballast/${nameOf(settings)}`;
  const server = createServer((socket) => socket.destroy());
  const code = await new Promise<string | undefined>((resolve) => {
    if (process.platform !== 'linux') resolve(undefined);
    else
      server
        .once('error', (cause: NodeJS.ErrnoException) => resolve(cause.code))
        .listen(`\0${path}`, () => resolve(undefined));
  });
  if (code === 'EADDRINUSE') throw held(path, wordsOf(settings));
  server.unref();
  return { path, release: () => void server.close() };
}

function nameOf({ environment, scope }: Omit<ScopeLockSettings, 'folder'>): string {
  const digest = sha256(`${environment}\n${scope}`).slice(0, 16);
  return `${scope.replace(/[^a-zA-Z0-9]+/g, '-').slice(0, 60)}-${digest}`;
}

function wordsOf({ environment, scope, holder }: Omit<ScopeLockSettings, 'folder'>): LockWords {
  return { code: 'JOURNAL_SCOPE_LOCKED', what: `the nonce scope ${scope} of ${environment}`, holder };
}

/** How a lock is spoken of. */
export interface LockWords {
  /** Code of the error when another process has the lock. */
  readonly code: string;
  /** What is locked, for the error. */
  readonly what: string;
  /** Who takes the lock: written beside it, so that an error can name the holder. */
  readonly holder: string;
}

/** Locks that are held: a database that nobody refers to is closed when it is collected, and with it the lock is gone. */
const HELD = new Set<DatabaseSync>();

/** Holds the file `path` exclusively, until it is released or the process ends. @throws BotError with `words.code` when it is held, `JOURNAL_LOCK_UNUSABLE` else. */
export function takeFileLock(path: string, words: LockWords): ScopeLock {
  let database: DatabaseSync | undefined;
  try {
    makeFolder(dirname(path), PRIVATE_FOLDER);
    database = new DatabaseSync(path, { timeout: 0 });
    database.exec('PRAGMA journal_mode=MEMORY; BEGIN EXCLUSIVE');
    writeFileSync(`${path}.holder`, `${words.holder}, process ${process.pid}`, { mode: 0o600 });
  } catch (cause) {
    database?.close();
    throw isBusy(cause) ? held(path, words) : unusable(path, cause);
  }
  const lock = database;
  HELD.add(lock);
  return {
    path,
    release: () => {
      if (HELD.delete(lock)) lock.close();
    },
  };
}

const SQLITE_BUSY = 5;

function isBusy(error: unknown): boolean {
  return isRecord(error) && error['errcode'] === SQLITE_BUSY;
}

function held(path: string, words: LockWords): BotError {
  return new BotError({
    code: words.code,
    message: `expected ${words.what} to be free, got a lock held by ${holderOf(path)}`,
    remedy: 'Stop the other process, or give this one its own API wallet and instance name.',
    details: { path },
  });
}

function holderOf(path: string): string {
  try {
    return readFileSync(`${path}.holder`, 'utf8');
  } catch {
    return 'another process';
  }
}

function unusable(path: string, cause: unknown): BotError {
  return new BotError({
    code: 'JOURNAL_LOCK_UNUSABLE',
    message: `expected a lock file that can be held in ${path}, got "${messageOf(cause)}"`,
    remedy: 'Check the folder, its rights and the disk.',
    cause,
  });
}
