/**
 * @module Reads a file that holds a secret, after checking its mode on the disk: what others could read or swap is
 * refused.
 */
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  type Stats,
  statSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { ConfigError, secrets, whyUnreadable } from '../core/index.ts';

/** The largest key or keystore file. */
const KEY_FILE_BYTES_MAX = 16_384;

/** What is wrong with the mode or location of a key file, `undefined` when nothing is. `parent` is its folder. */
function keyFileProblem(
  file: Stats,
  parent: Stats,
  userId: number | undefined,
): { expected: string; found: string; fix: string } | undefined {
  if (!file.isFile())
    return {
      expected: 'a regular file',
      found: 'something else (a link, a folder or a device)',
      fix: 'Put the key itself there.',
    };
  if (userId !== undefined && file.uid !== userId)
    return {
      expected: `a file of user ${userId}`,
      found: `a file of user ${file.uid}`,
      fix: 'Change its owner with chown.',
    };
  if ((file.mode & 0o077) !== 0)
    return {
      expected: 'mode 600',
      found: `mode ${(file.mode & 0o777).toString(8)}`,
      fix: 'Run chmod 600 on it.',
    };
  if (file.nlink !== 1)
    return {
      expected: 'one link',
      found: `${file.nlink} links`,
      fix: 'Make a new file and delete the others.',
    };
  if (file.size > KEY_FILE_BYTES_MAX)
    return {
      expected: `at most ${KEY_FILE_BYTES_MAX} bytes`,
      found: `${file.size} bytes`,
      fix: 'Name the key file, not something else.',
    };
  const isStickyRoot = (parent.mode & 0o1000) !== 0;
  if ((parent.mode & 0o022) !== 0 && !isStickyRoot)
    return {
      expected: 'a folder that only its owner may write to',
      found: `folder mode ${(parent.mode & 0o777).toString(8)}`,
      fix: 'Run chmod 700 on the folder.',
    };
  return undefined;
}

/** The text of a secret file without the blanks around it. @throws ConfigError naming file, expectation, finding, fix. */
export function readKeyFile(file: string): string {
  let descriptor: number;
  try {
    const found = lstatSync(file);
    // A pipe would wait for its writer; a link is refused by opening it.
    if (!found.isSymbolicLink()) refuseUnsafe(file, found);
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (cause) {
    if (cause instanceof ConfigError) throw cause;
    throw new ConfigError({
      code: 'CONFIG_KEY_FILE_UNREADABLE',
      message: `expected a key file at ${file}, but ${whyUnreadable(file, cause)}`,
      remedy:
        'Make one with `ballast keys new`, or correct keyFile in the configuration. Links are not followed.',
      cause,
    });
  }
  try {
    refuseUnsafe(file, fstatSync(descriptor));
    const text = readFileSync(descriptor, 'utf8').trim();
    // Before anything else can print it.
    if (!text.startsWith('{')) secrets.add(text);
    secrets.addMisplaced(text);
    return text;
  } finally {
    closeSync(descriptor);
  }
}

function refuseUnsafe(file: string, stats: Stats): void {
  const problem = keyFileProblem(stats, statSync(dirname(file)), process.geteuid?.());
  if (problem === undefined) return;
  throw new ConfigError({
    code: 'CONFIG_KEY_FILE_UNSAFE',
    message: `expected ${problem.expected} at ${file}, got ${problem.found}`,
    remedy: problem.fix,
  });
}
