/**
 * @module
 * A journal under another name: the bot has a name of its own now, and continues from what it kept under the name of its
 * file. The old journal becomes a full one before the new one, which begins with its state.
 */
import { existsSync, renameSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { BotError, isRecord } from '../../core/index.ts';
import { nextArchive } from './place.ts';
import { type ScopeLock, takeFileLock } from './scope-lock.ts';

/** Another process reads a journal for no longer than this, ms. */
const BUSY_MS = 2_000;

/**
 * Lets the journal that is going to be made at `to` continue from the one at `from`. False: there is none at `from`, there is
 * one at `to`, or another process writes the one at `from`, which is another bot then.
 * @throws BotError `JOURNAL_LOCKED` while another process reads it.
 */
export function takeOverJournal(from: string, to: string): boolean {
  if (existsSync(to) || !existsSync(from)) return false;
  const lock = lockOf(from);
  if (lock === undefined) return false;
  try {
    if (!isWhole(from)) throw isRead(from);
    renameSync(from, nextArchive(to));
    return true;
  } finally {
    lock.release();
  }
}

function lockOf(path: string): ScopeLock | undefined {
  const code = 'JOURNAL_LOCKED';
  try {
    return takeFileLock(`${path}.lock`, {
      code,
      what: `the journal ${path}`,
      holder: 'a bot with another name',
    });
  } catch (thrown) {
    if (thrown instanceof BotError && thrown.code === code) return undefined;
    throw thrown;
  }
}

/** Moves every row into the file itself; false while a reader is open: the log would remain under the old name. */
function isWhole(path: string): boolean {
  const database = new DatabaseSync(path, { timeout: BUSY_MS });
  try {
    const row: unknown = database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get();
    return isRecord(row) && row['busy'] === 0;
  } finally {
    database.close();
  }
}

function isRead(path: string): BotError {
  return new BotError({
    code: 'JOURNAL_LOCKED',
    message: `expected the journal ${path} to be read by nobody while it gets the name of its bot, got a reader`,
    remedy: 'End what reads it, then start again.',
    details: { path },
  });
}
