/**
 * @module
 * Numbers that know what they measure. A brand stops one unit from being assigned to another; the constructors check
 * the range once, where a value enters.
 */
import { assert } from './assert.ts';

declare const brand: unique symbol;

/** `Base` that carries the name of its unit only in the type. */
export type Brand<Base, Name extends string> = Base & { readonly [brand]: Name };

/** An instant: milliseconds since 1970-01-01 UTC. */
export type UnixMs = Brand<number, 'UnixMs'>;

/** `value` as an instant. @throws AssertionError unless it is a safe integer that is not negative. */
export function unixMs(value: number): UnixMs {
  // The message is made when it is needed: instants are made for every fact.
  if (!(Number.isSafeInteger(value) && value >= 0))
    assert(false, `an instant in Unix milliseconds, got ${value}`);
  return value as UnixMs;
}

/** Unix microseconds as ISO 8601 text in UTC, to the millisecond. */
export function isoOfUs(us: number): string {
  return new Date(us / 1_000).toISOString();
}
