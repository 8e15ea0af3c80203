/**
 * @module
 * Assertions that stay on in production: a broken invariant stops the run before it costs money.
 */
import { AssertionError } from './errors.ts';

/** Throws {@link AssertionError} unless `condition` holds. `message` says what should have held, with values. */
export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) {
    throw new AssertionError({
      code: 'CORE_ASSERTION_FAILED',
      message: `expected ${message}`,
      remedy: 'This is a bug in ballast: please report it with the run folder.',
    });
  }
}

/** `value`, which must be there. `what` names it. @throws AssertionError when it is null or undefined. */
export function must<T>(value: T | null | undefined, what: string): T {
  assert(value !== null && value !== undefined, `${what} to be present`);
  return value;
}

/**
 * Throws because `what` is not there: `found ?? absent('...')` where making the text each time, as {@link must} asks,
 * would cost more than what is looked up. @throws AssertionError always.
 */
export function absent(what: string): never {
  return must<never>(undefined, what);
}

/** The end of an exhaustive switch: does not compile while a case is missing, and throws if one appears at run time. */
export function assertNever(value: never): never {
  throw new AssertionError({
    code: 'CORE_UNREACHABLE',
    message: `expected no further case, got ${JSON.stringify(value)}`,
    remedy: 'This is a bug in ballast: please report it with the run folder.',
  });
}
