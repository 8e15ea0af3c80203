/**
 * @module
 * Copies of journals. A copy is made while a run writes: SQLite gives one instant of it, and its hash chain is checked
 * before it counts. Back it comes only where no journal is, and under the lock that a run would take.
 */
import { chmodSync, copyFileSync, existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { BotError, makeFolder, PRIVATE_FOLDER } from '../../core/index.ts';
import { guarded } from './damage.ts';
import { readJournal } from './reader.ts';
import { takeFileLock } from './scope-lock.ts';

/** A journal that was copied. */
export interface JournalCopy {
  /** Name of its file. */
  readonly name: string;
  /** The bot that owns it. */
  readonly instance: string;
  /** Records that the copy holds, each proven by the chain. */
  readonly records: number;
}

const SUFFIX = '.journal.sqlite';
const BUSY_MS = 2_000;

/**
 * Copies every journal of `folder` into the new folder `to`.
 * @throws BotError `JOURNAL_MISSING` without one, `JOURNAL_EXISTS`, `JOURNAL_CORRUPT`.
 */
export function backUpJournals(folder: string, to: string): readonly JournalCopy[] {
  const names = journalsIn(folder);
  makeFolder(to, PRIVATE_FOLDER);
  return names.map((name) => {
    const target = free(join(to, name));
    const source = join(folder, name);
    guarded(source, () => {
      const database = new DatabaseSync(source, { readOnly: true, timeout: BUSY_MS });
      try {
        database.prepare('VACUUM INTO ?').run(target);
      } finally {
        database.close();
      }
    });
    chmodSync(target, 0o600);
    return checked(target);
  });
}

/**
 * Puts every journal of `from`, made by {@link backUpJournals}, into `folder`.
 * @throws BotError `JOURNAL_MISSING` without one, `JOURNAL_EXISTS`, `JOURNAL_LOCKED`, `JOURNAL_CORRUPT`.
 */
export function restoreJournals(from: string, folder: string): readonly JournalCopy[] {
  const names = journalsIn(from);
  makeFolder(folder, PRIVATE_FOLDER);
  // All or none: what cannot be restored is said before the first.
  const copies = names.map((name) => {
    free(join(folder, name));
    return checked(join(from, name));
  });
  for (const { name } of copies) {
    const target = join(folder, name);
    const lock = takeFileLock(`${target}.lock`, {
      ...{ code: 'JOURNAL_LOCKED', what: `the journal ${target}`, holder: 'the restoring command' },
    });
    try {
      const made = `${free(target)}.new`;
      copyFileSync(join(from, name), made);
      chmodSync(made, 0o600);
      // A file beside it belongs to the journal that was there before.
      for (const rest of ['-wal', '-shm']) rmSync(`${target}${rest}`, { force: true });
      renameSync(made, target);
    } finally {
      lock.release();
    }
  }
  return copies;
}

function journalsIn(folder: string): readonly string[] {
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(SUFFIX)) : [];
  if (names.length > 0) return names.sort();
  throw new BotError({
    code: 'JOURNAL_MISSING',
    message: `expected a journal in ${folder}, got none`,
    remedy: 'Check the folder; a journal is made by the first run.',
  });
}

function free(path: string): string {
  if (!existsSync(path)) return path;
  throw new BotError({
    code: 'JOURNAL_EXISTS',
    message: `expected no file at ${path}, got one`,
    remedy: 'Name a new folder. A journal that is there is kept: move it away yourself, if it is damaged.',
  });
}

function checked(path: string): JournalCopy {
  const journal = readJournal(path);
  try {
    journal.state();
    let records = 0;
    for (const _record of journal.records()) records++;
    return { name: basename(path), instance: journal.header.instance, records };
  } finally {
    journal.close();
  }
}
