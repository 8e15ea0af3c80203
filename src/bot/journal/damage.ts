/**
 * @module
 * What a damaged file looks like from inside SQLite and from inside JSON, and the name it gets (invariant I20). A full
 * disk, a missing right or a busy file is no damage: those errors pass.
 */
import { isRecord, messageOf, ProtocolError } from '../../core/index.ts';
import { corrupt } from './header.ts';

/** A table that is not there, a page that makes no sense, a schema, size, type, format or index of no sense, no database. */
const DAMAGED: ReadonlySet<unknown> = new Set([1, 11, 17, 18, 20, 24, 25, 26]);

/** Runs `work`, which only reads the journal `path`; what a damaged file makes it throw becomes `JOURNAL_CORRUPT`. */
export function guarded<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    if (!isDamage(cause)) throw cause;
    throw corrupt(path, `reading says "${messageOf(cause)}"`, cause);
  }
}

function isDamage(error: unknown): boolean {
  if (error instanceof SyntaxError || error instanceof RangeError) return true;
  // A record whose text is no JSON is damage; one of an unknown type is of another version.
  if (error instanceof ProtocolError) return isDamage(error.cause);
  return isRecord(error) && typeof error['errcode'] === 'number' && DAMAGED.has(error['errcode'] & 0xff);
}
