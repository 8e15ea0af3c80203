/** @module Decimal text to an integer, as a bare stack reads it: the text is trusted. */
const POINT = 46;
const ZERO = 48;

/** The number that `text` is, times 10 to the power of `decimals`. */
export function toInteger(text: string, decimals: number): number {
  let value = 0;
  let missing = decimals;
  let isFraction = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === POINT) {
      isFraction = true;
      continue;
    }
    value = value * 10 + (code - ZERO);
    if (isFraction) missing--;
  }
  return value * 10 ** missing;
}
