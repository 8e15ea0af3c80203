/**
 * @module
 * Integers of any size that cost no more than they must: a number while a number holds them exactly, a big integer
 * beyond. Two of them compare with `<` and `>` as they are; `===` is right too, since each value has one form only.
 * What this does not do: division, but for shares in parts per million.
 */

/** A whole number: a safe integer as `number`, any other as `bigint`. Made by the functions of this module alone. */
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
  const fast = fastShare(amount, ppm, Math.floor);
  return fast === undefined ? whole((BigInt(amount) * BigInt(ppm)) / MILLION) : fast;
}

/** `amount` x `ppm` / 1,000,000 of what is not negative, rounded up. */
export function shareUp(amount: Whole, ppm: number): Whole {
  const fast = fastShare(amount, ppm, Math.ceil);
  return fast === undefined ? whole((BigInt(amount) * BigInt(ppm) + MILLION - 1n) / MILLION) : fast;
}

const MILLION = 1_000_000n;
/** Up to here a quotient by a million is so exact that rounding it to a whole number cannot go wrong. */
const DIVIDED_MAX = 2 ** 50;

/** The share of whole millions and of the rest, which are exact each; `undefined` where they might not be. */
function fastShare(amount: Whole, ppm: number, round: (value: number) => number): number | undefined {
  if (typeof amount !== 'number' || amount < 0 || ppm < 0) return undefined;
  if (amount * ppm <= DIVIDED_MAX) return round((amount * ppm) / 1e6);
  let millions = Math.floor(amount / 1e6);
  let rest = amount - millions * 1e6;
  if (rest < 0) {
    // The quotient was rounded up to the next whole number.
    millions--;
    rest += 1e6;
  }
  const share = millions * ppm + round((rest * ppm) / 1e6);
  return rest * ppm <= DIVIDED_MAX && Number.isSafeInteger(share) ? share : undefined;
}
