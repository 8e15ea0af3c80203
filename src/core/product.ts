/** @module Exact products and quotients of integers. */

/** a x b of two safe integers, exact: computed as a number where that holds it, else as big integers. */
export function product(a: number, b: number): bigint {
  const fast = a * b;
  return Number.isSafeInteger(fast) ? BigInt(fast) : BigInt(a) * BigInt(b);
}

/** a / b rounded up, for a >= 0 and b > 0. */
export function ceilDivide(a: bigint, b: bigint): bigint {
  return (a + b - 1n) / b;
}

/** a / b rounded down (towards minus infinity), for b > 0. */
export function floorDivide(a: bigint, b: bigint): bigint {
  const quotient = a / b;
  return a < 0n && quotient * b !== a ? quotient - 1n : quotient;
}
