/** @module Files that a command writes where a person has asked for them, and what is said where they cannot be. */
import { existsSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { BotError, makeFolder, messageOf } from '../../core/index.ts';

/**
 * Writes `path`, in a folder that is made where it is missing; on failure nothing is left where nothing was.
 * @throws BotError `REPORT_FILE_UNWRITABLE`.
 */
export function writing(path: string, write: () => void): void {
  const wasThere = existsSync(path);
  try {
    makeFolder(dirname(path));
    write();
  } catch (cause) {
    if (!wasThere) rmSync(path, { recursive: true, force: true });
    throw unwritable(path, cause);
  }
}

/** What is said where `path` cannot be written. */
export function unwritable(path: string, cause: unknown): BotError {
  return new BotError({
    code: 'REPORT_FILE_UNWRITABLE',
    message: `expected to write ${path}, got ${messageOf(cause)}`,
    remedy: 'Choose a path that exists, can be written and has free space.',
    cause,
  });
}
