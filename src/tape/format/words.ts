/**
 * @module Integers in words: value = low + middle * 2^16 + high * 2^32, low and middle from 0 to 2^16 - 1, high signed.
 * In a column of words those above the lowest hardly change, so that a packer has little to do for them, and an
 * unpacker too.
 */

const WORD = 2 ** 16;
const TWO_WORDS = 2 ** 32;

/** A column of integers from 0 to 2^32 - 1 in words. */
export interface Halves {
  /** Lowest 16 bits. */
  readonly low: Uint16Array;
  /** Next 16 bits. */
  readonly middle: Uint16Array;
}

/** A column of safe integers in words. */
export interface ColumnWords extends Halves {
  /** Highest 32 bits, signed. */
  readonly high: Int32Array;
}

/** Puts the words of `values`, which are safe integers, into the first rows of `words`. */
export function splitWords(values: Float64Array, { low, middle, high }: ColumnWords): void {
  for (let row = 0; row < values.length; row++) {
    const value = values[row] as number;
    // The lowest 32 bits, of a negative number as of its complement.
    const rest = value >>> 0;
    low[row] = rest;
    middle[row] = rest >>> 16;
    high[row] = (value - rest) / TWO_WORDS;
  }
}

/** Puts the values of `words` into `into`, which has as many rows. */
export function joinWords({ low, middle, high }: ColumnWords, into: Float64Array): void {
  const above = (high[0] ?? 0) * TWO_WORDS;
  if (!isConstant(high)) joinEach({ low, middle, high }, into);
  else if (above !== 0 || middle[0] !== 0 || !isConstant(middle)) joinBelow(above, { low, middle }, into);
  // The engine's own copy is ten times as fast as a loop, and most sizes are this one word.
  else into.set(low);
}

/** Where the highest word of all rows is the same. */
function joinBelow(above: number, { low, middle }: Halves, into: Float64Array): void {
  const value = (row: number): number => above + ((middle[row] as number) * WORD + (low[row] as number));
  const { length } = into;
  let row = 0;
  // Eight at a time take half the time.
  for (; row < length - 7; row += 8) {
    into[row] = value(row);
    into[row + 1] = value(row + 1);
    into[row + 2] = value(row + 2);
    into[row + 3] = value(row + 3);
    into[row + 4] = value(row + 4);
    into[row + 5] = value(row + 5);
    into[row + 6] = value(row + 6);
    into[row + 7] = value(row + 7);
  }
  for (; row < length; row++) into[row] = value(row);
}

function joinEach({ low, middle, high }: ColumnWords, into: Float64Array): void {
  for (let row = 0; row < into.length; row++)
    into[row] = (high[row] as number) * TWO_WORDS + ((middle[row] as number) * WORD + (low[row] as number));
}

/** Puts the words of `values` into the first rows of `halves`. */
export function splitHalves(values: Uint32Array, { low, middle }: Halves): void {
  for (let row = 0; row < values.length; row++) {
    const value = values[row] as number;
    low[row] = value;
    middle[row] = value >>> 16;
  }
}

/** Puts the values of `halves` into `into`, which has as many rows. */
export function joinHalves({ low, middle }: Halves, into: Uint32Array): void {
  const value = (row: number): number => ((middle[row] as number) << 16) | (low[row] as number);
  const { length } = into;
  let row = 0;
  for (; row < length - 7; row += 8) {
    into[row] = value(row);
    into[row + 1] = value(row + 1);
    into[row + 2] = value(row + 2);
    into[row + 3] = value(row + 3);
    into[row + 4] = value(row + 4);
    into[row + 5] = value(row + 5);
    into[row + 6] = value(row + 6);
    into[row + 7] = value(row + 7);
  }
  for (; row < length; row++) into[row] = value(row);
}

/**
 * True if every row has the same value. Each byte is then the one a row before it, which the engine compares at once.
 */
function isConstant(column: Uint16Array | Int32Array): boolean {
  const bytes = new Uint8Array(column.buffer, column.byteOffset, column.byteLength);
  const width = column.BYTES_PER_ELEMENT;
  return bytes.length === 0 || Buffer.compare(bytes.subarray(width), bytes.subarray(0, -width)) === 0;
}
