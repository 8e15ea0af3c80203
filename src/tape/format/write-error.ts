/** @module What it is called when the system does not let a tape, or a file made of one, be written. */
import { ConfigError, isOfSystem, messageOf } from '../../core/index.ts';

/** A path that cannot be written: `cause` says why. */
export function unwritable(path: string, cause: unknown): ConfigError {
  return new ConfigError({
    code: 'TAPE_FILE_UNWRITABLE',
    message: `expected to write ${path}, but ${messageOf(cause)}`,
    remedy: 'Name a path that exists or can be created, is writable and has free space.',
    cause,
  });
}

/** What to throw when `thrown` ended the writing of `path`: a complaint where the system refused, else the same. */
export function writingError(path: string, thrown: unknown): unknown {
  return isOfSystem(thrown) ? unwritable(path, thrown) : thrown;
}
