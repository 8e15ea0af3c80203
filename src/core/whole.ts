/**
 * @module
 * Integers of any size that cost no more than they must: a number while a number holds them exactly, a big integer
 * beyond. Two of them compare with `<` and `>` as they are; `===` is right too, since each value has one form only.
 * What this does not do: division, but for shares in parts per million.
 */

/** An integer: a safe integer as `number`, any other as `bigint`. Made only by the functions of this module. */
export type Whole = number | bigint;

/** `value` in the form that it takes here. */
export function whole(value: bigint): Whole {
  // What is beyond 2^53 - 1 rounds to 2^53 at the least: never to a safe integer.
  const fast = Number(value);
  return Number.isSafeInteger(fast) ? fast : value;
}

/** a + b. */
export function plus(a: Whole, b: Whole): Whole {
  if (typeof a === 'number' && typeof b === 'number') {
    const sum = a + b;
    if (Number.isSafeInteger(sum)) return sum;
  }
  return whole(BigInt(a) + BigInt(b));
}

/** a - b. */
export function minus(a: Whole, b: Whole): Whole {
  if (typeof a === 'number' && typeof b === 'number') {
    const difference = a - b;
    if (Number.isSafeInteger(difference)) return difference;
  }
  return whole(BigInt(a) - BigInt(b));
}

/** a x b. */
export function times(a: Whole, b: Whole): Whole {
  if (typeof a === 'number' && typeof b === 'number') {
    // Zero has no sign here.
    const fast = a * b + 0;
    if (Number.isSafeInteger(fast)) return fast;
  }
  return whole(BigInt(a) * BigInt(b));
}

/** The larger of the magnitudes of two. */
export function largerOf(a: Whole, b: Whole): Whole {
  const left = a < 0 ? minus(0, a) : a;
  const right = b < 0 ? minus(0, b) : b;
  return left > right ? left : right;
}

/** `amount` x `ppm` / 1,000,000, truncated towards zero. */
export function shareDown(amount: Whole, ppm: number): Whole {
  if (typeof amount === 'number' && amount >= 0 && ppm >= 0 && ppm <= FAST_PPM_MAX) {
    const millions = millionsIn(amount);
    const share = millions * ppm + Math.floor(((amount - millions * 1e6) * ppm) / 1e6);
    if (Number.isSafeInteger(share)) return share;
  }
  return whole((BigInt(amount) * BigInt(ppm)) / MILLION);
}

/** `amount` x `ppm` / 1,000,000 of what is not negative, rounded up. */
export function shareUp(amount: Whole, ppm: number): Whole {
  if (typeof amount === 'number' && amount >= 0 && ppm >= 0 && ppm <= FAST_PPM_MAX) {
    const millions = millionsIn(amount);
    const share = millions * ppm + Math.ceil(((amount - millions * 1e6) * ppm) / 1e6);
    if (Number.isSafeInteger(share)) return share;
  }
  return whole((BigInt(amount) * BigInt(ppm) + MILLION - 1n) / MILLION);
}

const MILLION = 1_000_000n;
/** Up to here a million times the rate is below 2^50: a quotient of it by a million is never rounded to an integer. */
const FAST_PPM_MAX = 2 ** 30;

/** The whole millions in `amount`. A quotient beyond 2^33 can be rounded up to the next whole number. */
function millionsIn(amount: number): number {
  const millions = Math.floor(amount / 1e6);
  return millions * 1e6 > amount ? millions - 1 : millions;
}
