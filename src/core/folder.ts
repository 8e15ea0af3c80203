/** @module Folders that are made where they are missing. */
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** What only its owner may look into: journals, keys, tapes and the files of runs. */
export const PRIVATE_FOLDER = 0o700;

/**
 * Makes a folder and those above it that are missing; nothing where it is there. Node's own way (`recursive`) never
 * returns for a place like /proc/x/y, where nothing can be made below a folder that is there.
 * @throws what the file system answers: ENOENT, EACCES, EEXIST where a file has the name.
 * @example makeFolder('data/tapes/today', PRIVATE_FOLDER)
 */
export function makeFolder(path: string, mode?: number): void {
  try {
    mkdirSync(path, mode);
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException;
    if (code === 'EEXIST' && statSync(path).isDirectory()) return;
    if (code !== 'ENOENT' || existsSync(dirname(path))) throw thrown;
    makeFolder(dirname(path), mode);
    makeFolder(path, mode);
  }
}
