/**
 * @module Location in a recording, and the exact numbers read there. A value that does not fit stops the reading with
 * file and line: a recording is evidence, so nothing in it is guessed or skipped silently.
 */
import { ProtocolError, parseScaledNumber } from '../../core/index.ts';
import { type Lots, lots, PRICE_TICKS_MAX, type Ticks, ticks } from '../../domain/index.ts';

/** A line of a recorded file; lines count from 1. */
export interface Place {
  /** Path of the file. */
  readonly file: string;
  /** Line, from 1. */
  readonly line: number;
}

/** How many decimals prices and sizes of a recording have: one tick is 10^-priceDecimals, one lot 10^-sizeDecimals. */
export interface RecordedScale {
  /** Decimals of a price; one tick is 10^-priceDecimals. */
  readonly priceDecimals: number;
  /** Decimals of a size; one lot is 10^-sizeDecimals. */
  readonly sizeDecimals: number;
}

/** The most characters of a recording that an error shows. */
export const FOUND_LENGTH_MAX = 80;

/** Recorded text as it is shown in an error: in quotes, cut to a readable length. */
export function quoted(text: string): string {
  return JSON.stringify(text.slice(0, FOUND_LENGTH_MAX));
}

/** The error for a line that cannot be read: names file and line, what was expected and what was found. */
export function malformed(place: Place, expected: string, found: string): ProtocolError {
  return new ProtocolError({
    code: 'TAPE_LINE_MALFORMED',
    message: `expected ${expected} at ${place.file}:${place.line}, got ${found}`,
    remedy: 'Fetch the file again and compare its sha256; a recording is never repaired by hand.',
    details: { file: place.file, line: place.line },
  });
}

/** The price `text` in ticks, exactly. @throws ProtocolError naming the location when it does not fit the scale. */
export function priceAt(place: Place, text: string, decimals: number): Ticks {
  const value = parseScaledNumber(text, decimals);
  if (value > 0 && value <= PRICE_TICKS_MAX) return ticks(value);
  throw malformed(place, `a price above zero with at most ${decimals} decimals`, quoted(text));
}

/** The size `text` in lots, exactly; zero is a size. @throws ProtocolError naming the location when it does not fit. */
export function sizeAt(place: Place, text: string, decimals: number): Lots {
  const value = parseScaledNumber(text, decimals);
  if (value >= 0) return lots(value);
  throw malformed(place, `a size with at most ${decimals} decimals`, quoted(text));
}

/** The safe non-negative integer `text`. @throws ProtocolError naming the location. */
export function integerAt(place: Place, text: string, what: string): number {
  const value = parseScaledNumber(text, 0);
  if (value >= 0 && !text.includes('.')) return value;
  throw malformed(place, `${what} as an integer`, quoted(text));
}

const PLAIN_DIGITS = /^[0-9]+$/;

/**
 * A receive time in nanoseconds from its digits: 19 are nanoseconds, 16 microseconds, 13 milliseconds, as the
 * recordings mix them. @throws ProtocolError naming the location for anything else.
 */
export function receivedAt(place: Place, text: string): bigint {
  if (PLAIN_DIGITS.test(text)) {
    if (text.length === 19) return BigInt(text);
    if (text.length === 16) return BigInt(text) * 1_000n;
    if (text.length === 13) return BigInt(text) * 1_000_000n;
  }
  throw malformed(place, 'a receive time of 13 (ms), 16 (us) or 19 (ns) digits', quoted(text));
}
