/**
 * @module
 * Approval as a type: what did not pass risk does not compile into a send. Only `risk` may call {@link approve}
 * (rule R9, checked by test/tidy).
 */
import type { Brand } from '../core/index.ts';

/** `T` that passed every risk check. */
export type Approved<T> = Brand<T, 'Approved'>;

/** Marks `command` as approved. Only for `risk`. */
export function approve<T>(command: T): Approved<T> {
  return command as Approved<T>;
}
