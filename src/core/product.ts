/** @module An exact product that takes the fast road where numbers are exact. */

/** a x b of two safe integers, exact: as a number where that holds it, else as big integers. */
export function product(a: number, b: number): bigint {
  const fast = a * b;
  return Number.isSafeInteger(fast) ? BigInt(fast) : BigInt(a) * BigInt(b);
}
