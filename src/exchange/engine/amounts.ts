/** @module Exact arithmetic on money that takes the fast road where numbers are exact. */

/** Parts in a whole, for rates in parts per million. */
export const MILLION = 1_000_000n;

const PARTS = 1_000_000;
/** Up to here a millionth is rounded up within the safe integers. */
const MILLIONTHS_MAX = Number.MAX_SAFE_INTEGER - PARTS;

/** a / 1,000,000 rounded up, exact, for an integer from 0 on; `undefined` where numbers are not safe any more. */
export function millionthsUp(a: number): bigint | undefined {
  if (!(a <= MILLIONTHS_MAX)) return undefined;
  const raised = a + (PARTS - 1);
  return BigInt((raised - (raised % PARTS)) / PARTS);
}
