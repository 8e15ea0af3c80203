/**
 * @module
 * Kinds of values: what is read as one, and how an error names it. All that comes from outside is read by these: fields of
 * frames, answers and bodies, queries, parameters of control actions, keys of scenarios. JSON gives numbers and booleans,
 * queries and YAML give text; a kind that both may hold reads both. Prices, sizes and amounts are decimal text and never
 * numbers.
 */
import { isDecimalText } from './decimal.ts';
import { DURATION_MAX, DURATION_TEXT, parseDurationMs } from './duration.ts';
import { isHex } from './hex.ts';
import { isRecord } from './json.ts';

/** An object of JSON. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** A kind of value. */
export interface Kind<T> {
  /** Completes the sentence "expected a field as ...". */
  readonly expected: string;
  /** The value; `undefined` for one of another kind. */
  read(value: unknown): T | undefined;
}

/** An object of JSON. */
export const OBJECT: Kind<JsonObject> = {
  expected: 'an object',
  read: (value) => (isRecord(value) ? value : undefined),
};

/** A list of anything. */
export const LIST: Kind<readonly unknown[]> = {
  expected: 'a list',
  read: (value) => (Array.isArray(value) ? value : undefined),
};

/** Text, also an empty one. */
export const ANY_TEXT: Kind<string> = {
  expected: 'text',
  read: (value) => (typeof value === 'string' ? value : undefined),
};

/** Text that is not empty. */
export const TEXT: Kind<string> = {
  expected: 'text',
  read: (value) => (typeof value === 'string' && value !== '' ? value : undefined),
};

/** Text of one line, not empty. `expected` says what it names. */
export function lineOf(expected = 'text'): Kind<string> {
  return {
    expected,
    read: (value) => (typeof value === 'string' && /^\P{Cc}{1,256}$/u.test(value) ? value : undefined),
  };
}

/** An id: text that is not empty, or an integer as its decimal text. */
export const ID: Kind<string> = {
  expected: 'an id',
  read: (value) => {
    if (typeof value === 'string') return value === '' ? undefined : value;
    return typeof value === 'bigint' || Number.isSafeInteger(value) ? String(value) : undefined;
  },
};

/** Decimal text, exactly as it came. A JSON number has passed a binary fraction and is none. */
export const DECIMAL_TEXT: Kind<string> = {
  expected: 'decimal text',
  read: (value) => (isDecimalText(value) ? value : undefined),
};

/** Decimal text that is not negative. */
export const UNSIGNED_DECIMAL: Kind<string> = {
  expected: 'decimal text like "12.5", not negative',
  read: (value) => (isDecimalText(value) && !value.startsWith('-') ? value : undefined),
};

/** A fraction of one, from 0 to 1. Probabilities are not money: a binary fraction is exact enough. */
export const FRACTION: Kind<number> = {
  expected: 'a number from 0 to 1',
  read: (value) => {
    const number = isDecimalText(value) ? Number(value) : value;
    return typeof number === 'number' && number >= 0 && number <= 1 ? number : undefined;
  },
};

/** An address of 20 bytes; read in lower case. */
export const ADDRESS: Kind<string> = {
  expected: 'an address: 0x and 40 hexadecimal digits',
  read: (value) => (isHex(value, 20) ? value.toLowerCase() : undefined),
};

/** True or false. */
export const FLAG: Kind<boolean> = {
  expected: 'true or false',
  read: (value) => (typeof value === 'boolean' ? value : undefined),
};

/** True or false, also as 1, 0 and text (obligation O61). */
export const FLAG_LIKE: Kind<boolean> = {
  expected: 'true or false',
  read: (value) => {
    if (value === true || value === 1 || value === 'true' || value === '1') return true;
    return value === false || value === 0 || value === 'false' || value === '0' ? false : undefined;
  },
};

const INTEGER_TEXT = /^(?:0|-?[1-9][0-9]{0,29})$/;
const NATURAL_TEXT = /^(?:0|[1-9][0-9]{0,29})$/;

/** A position in a log, a nonce: an integer of 0 or more of any length, a JSON number or decimal text, exactly (obligation O7). */
export const NATURAL: Kind<bigint> = {
  expected: 'an integer of 0 or more',
  read: (value) => {
    if (typeof value === 'number')
      return isIntegerIn(value, 0, Number.MAX_SAFE_INTEGER) ? BigInt(value) : undefined;
    if (typeof value === 'bigint') return value >= 0n ? value : undefined;
    return typeof value === 'string' && NATURAL_TEXT.test(value) ? BigInt(value) : undefined;
  },
};

/** An integer within bounds, both included: a JSON number or decimal text. */
export function integerFrom(min: number, max: number = Number.MAX_SAFE_INTEGER): Kind<number> {
  return {
    expected: integersOf(min, max),
    read: (value) => {
      const isNumber = typeof value !== 'string' || !INTEGER_TEXT.test(value);
      const number = isNumber ? value : Number(value);
      return isIntegerIn(number, min, max) ? number : undefined;
    },
  };
}

/** An integer within bounds, both included: a JSON number and nothing else. */
export function numberFrom(min: number, max: number = Number.MAX_SAFE_INTEGER): Kind<number> {
  return {
    expected: integersOf(min, max),
    read: (value) => (isIntegerIn(value, min, max) ? value : undefined),
  };
}

/** An integer within 2^53: a JSON number or decimal text. */
export const INTEGER: Kind<number> = integerFrom(-Number.MAX_SAFE_INTEGER);

function integersOf(min: number, max: number): string {
  if (max !== Number.MAX_SAFE_INTEGER) return `an integer from ${min} to ${max}`;
  return min === -Number.MAX_SAFE_INTEGER ? 'an integer' : `an integer of at least ${min}`;
}

function isIntegerIn(value: unknown, min: number, max: number): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= min && value <= max;
}

/** One of some texts. */
export function oneOf<const Choice extends string>(...choices: readonly Choice[]): Kind<Choice> {
  return {
    expected: `one of ${choices.join(', ')}`,
    read: (value) => (choices.includes(value as Choice) ? (value as Choice) : undefined),
  };
}

/** A length of time within bounds, both included, read as ms: text with its unit, or a number of ms. */
export function durationFrom(min = '1ms', max = DURATION_MAX): Kind<number> {
  const [minMs, maxMs] = [parseDurationMs(min), parseDurationMs(max)];
  return {
    expected: `a duration from ${min} to ${max}`,
    read: (value) => {
      const isText = typeof value === 'string' && DURATION_TEXT.test(value);
      const durationMs = isText ? parseDurationMs(value) : value;
      return isIntegerIn(durationMs, minMs, maxMs) ? durationMs : undefined;
    },
  };
}

/** Several values of one kind. */
export function listOf<T>(item: Kind<T>, max = 100): Kind<readonly T[]> {
  return {
    expected: `a list of at most ${max}, each ${item.expected}`,
    read: (value) => {
      if (!Array.isArray(value) || value.length > max) return undefined;
      const read = value.map((one) => item.read(one));
      return read.every((one) => one !== undefined) ? (read as readonly T[]) : undefined;
    },
  };
}

/** Names and text, such as headers. */
export const TEXT_MAP: Kind<Readonly<Record<string, string>>> = {
  expected: 'names with text, such as {"retry-after": "5"}',
  read: (value) =>
    isRecord(value) &&
    Object.entries(value).every(([key, one]) => /^[\w-]{1,64}$/.test(key) && typeof one === 'string')
      ? (value as Readonly<Record<string, string>>)
      : undefined,
};
