/**
 * @module Location in a recording, and the exact numbers read there. A value that does not fit stops the reading with
 * file and line: a recording is evidence, so nothing in it is guessed or skipped silently.
 */
import {
  formatScaled,
  isDecimalText,
  ProtocolError,
  parseScaled,
  parseScaledNumber,
} from '../../core/index.ts';
import { type Lots, lots, PRICE_TICKS_MAX, type Ticks, ticks } from '../../domain/index.ts';
import { printedDecimalsOf } from './plain-decimal.ts';

/** A line of a recorded file; lines count from 1. */
export interface Place {
  /** Path of the file. */
  readonly file: string;
  /** Line, from 1. */
  readonly line: number;
  /** Name of the column; absent: the line as a whole. */
  readonly column?: string | undefined;
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

/** The remedy for a line that is not as its recorder wrote it. */
export const FETCH_AGAIN =
  'Fetch the file again and compare its sha256; a recording is never repaired by hand.';

/** Recorded text as it is shown in an error: in quotes, cut to a readable length. */
export function quoted(text: string): string {
  return JSON.stringify(text.slice(0, FOUND_LENGTH_MAX));
}

/** The error for a line that cannot be read: names file and line, what was expected and what was found. */
export function malformed(place: Place, expected: string, found: string, remedy?: string): ProtocolError {
  const column = place.column === undefined ? '' : `, column ${place.column}`;
  return new ProtocolError({
    code: 'TAPE_LINE_MALFORMED',
    message: `expected ${expected} at ${place.file}:${place.line}${column}, got ${found}`,
    remedy: remedy ?? FETCH_AGAIN,
    details: { file: place.file, line: place.line },
  });
}

/** What a decimal of a recording becomes, and how far it reaches. */
interface Range {
  readonly what: string;
  readonly max: number;
  /** The limit in words. */
  readonly limit: string;
  readonly option: string;
}

const PRICES: Range = {
  what: 'price above zero',
  max: PRICE_TICKS_MAX,
  limit: '2^32 - 1 ticks',
  option: '--price-decimals',
};
const SIZES: Range = {
  what: 'size',
  max: Number.MAX_SAFE_INTEGER,
  limit: '2^53 - 1 lots',
  option: '--size-decimals',
};
/** The most decimals that can be named; files may show more. */
const DECIMALS_MAX = 12;
const DECIMALS_SHOWN_MAX = 18;
/** Parts per billion. */
const RATE_DECIMALS = 9;
/** Decimals of a rate that are read, then rounded to {@link RATE_DECIMALS}. */
const RATE_DECIMALS_READ = 30;

/**
 * The price `text` in ticks, exactly; `column` names it in errors. @throws ProtocolError naming location, limit and
 * remedy when it does not fit the scale.
 */
export function priceAt(place: Place, text: string, decimals: number, column?: string): Ticks {
  const value = parseScaledNumber(text, decimals);
  if (value > 0 && value <= PRICE_TICKS_MAX) return ticks(value);
  throw misfit({ ...place, column }, text, { decimals, range: PRICES });
}

/** The size `text` in lots, exactly; zero is a size. @throws as {@link priceAt}. */
export function sizeAt(place: Place, text: string, decimals: number, column?: string): Lots {
  const value = parseScaledNumber(text, decimals);
  if (value >= 0) return lots(value);
  throw misfit({ ...place, column }, text, { decimals, range: SIZES });
}

/** A price that may have more decimals than a tick, to the nearest tick, half a tick up. @throws as {@link priceAt}. */
export function roundedPriceAt(place: Place, text: string, decimals: number, column?: string): Ticks {
  const own = printedDecimalsOf(text);
  if (own <= decimals) return priceAt(place, text, decimals, column);
  const value = parseScaled(text, own) ?? 0n;
  const rounded = Number(roundedDivision(value, 10n ** BigInt(own - decimals)));
  if (rounded > 0 && rounded <= PRICE_TICKS_MAX) return ticks(rounded);
  throw misfit({ ...place, column }, text, { decimals, range: PRICES });
}

/** A rate in parts per billion, to the nearest, halves away from zero. @throws ProtocolError naming the location. */
export function rateAt(place: Place, text: string, column?: string): number {
  const value = parseScaled(text, RATE_DECIMALS_READ);
  if (value === undefined)
    throw malformed(
      { ...place, column },
      `a rate such as 0.0001 with at most ${RATE_DECIMALS_READ} decimals`,
      quoted(text),
      'Write the rate as a plain decimal, a share of 1.',
    );
  const ppb = Number(roundedDivision(value, 10n ** BigInt(RATE_DECIMALS_READ - RATE_DECIMALS)));
  if (Number.isSafeInteger(ppb)) return ppb === 0 ? 0 : ppb;
  const most = formatScaled(Number.MAX_SAFE_INTEGER, RATE_DECIMALS);
  throw malformed(
    { ...place, column },
    `a rate between -${most} and ${most} (2^53 - 1 parts per billion)`,
    quoted(text),
    'Write the rate as a share of 1: 0.0001 is 0.01 %.',
  );
}

/** `value` / `unit` to the nearest integer, halves away from zero. */
function roundedDivision(value: bigint, unit: bigint): bigint {
  const half = value < 0n ? -unit : unit;
  return (2n * value + half) / (2n * unit);
}

/** A number of 0 or more, as programs print it. */
const NUMBER = /^[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;

interface Misfit {
  readonly decimals: number;
  readonly range: Range;
}

/** Why a decimal does not fit, and what helps: other text, other decimals of the import, or fewer in the file. */
function misfit(place: Place, text: string, { decimals, range }: Misfit): ProtocolError {
  const { what, max, limit, option } = range;
  const fine = `a ${what} with at most ${decimals} decimals`;
  const isZero = range === PRICES && !/[1-9]/.test(text);
  if (!NUMBER.test(text) || isZero) {
    const isComma = /^[0-9]+,[0-9]+$/.test(text);
    return malformed(
      place,
      range === SIZES ? fine.replace(what, `${what} of 0 or more`) : fine,
      quoted(text),
      isComma ? 'Write decimals with a point, not a comma.' : undefined,
    );
  }
  const own = printedDecimalsOf(text);
  const fitting = isDecimalText(text) ? mostDecimals(text, max) : undefined;
  if (fitting === undefined && Number(text) > max) {
    const most = `a ${what} up to ${max} (${limit}, without decimals)`;
    return malformed(
      place,
      most,
      quoted(text),
      'A tape holds no larger number: write the column in a larger unit.',
    );
  }
  if (fitting === undefined) {
    const remedy = `Write the column with at most ${decimals} decimals in the file.`;
    return malformed(place, fine, quoted(text), remedy);
  }
  const isTooFine = own > decimals;
  const large = `a ${what} up to ${formatScaled(max, decimals)} with ${decimals} decimals (${limit})`;
  const remedy =
    isTooFine && own <= fitting
      ? `Leave ${option} out${own <= DECIMALS_MAX ? `, or name ${own} or more` : ''}.`
      : `At most ${fitting} decimals fit a number of this size: write the column with at most ${Math.min(fitting, decimals)} in the file, and name no more than ${fitting} with ${option}.`;
  return malformed(place, isTooFine ? fine : large, quoted(text), remedy);
}

/** With how many decimals `text`, cut to them, is at most `max`; `undefined`: with none. */
function mostDecimals(text: string, max: number): number | undefined {
  const [whole = '0', fraction = ''] = text.split('.');
  for (let decimals = DECIMALS_SHOWN_MAX; decimals >= 0; decimals--)
    if (BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, '0')) <= BigInt(max)) return decimals;
  return undefined;
}

/** The safe non-negative integer `text`. @throws ProtocolError naming the location. */
export function integerAt(place: Place, text: string, what: string): number {
  const value = parseScaledNumber(text, 0);
  if (value >= 0 && !text.includes('.')) return value;
  throw malformed(place, `${what} as an integer up to ${Number.MAX_SAFE_INTEGER}`, quoted(text));
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
