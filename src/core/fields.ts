/**
 * @module
 * Reads the fields of JSON objects without trust: the kind of a value, its bounds, and its location in the error. One reader
 * for all rooms, each of which adds only its own nouns. Fields that no reader asks for are not looked at, unless the object
 * is {@link closed}.
 */
import { isDecimalText } from './decimal.ts';
import { ProtocolError } from './errors.ts';
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

/** A value of another kind than it must be, with the path that leads to it. */
export class FieldError extends ProtocolError {
  /** Of the value: `orders[3].price`; empty while its object is not named. */
  place: string;
  readonly expected: string;
  readonly was: string;

  constructor(place: string, expected: string, value: unknown) {
    const was = describeJson(value);
    super({
      code: 'PROTOCOL_WIRE_MALFORMED',
      message: sentence(place, expected, was),
      remedy:
        'The other side does not speak the interface: check the base URL and any proxy in between. A run keeps the raw text on its tape.',
      effect: 'unknown',
    });
    this.place = place;
    this.expected = expected;
    this.was = was;
  }

  /** The same error where the value is part of something larger. */
  at(outer: string): this {
    const isJoined = this.place === '' || this.place.startsWith('[');
    this.place = isJoined ? `${outer}${this.place}` : `${outer}.${this.place}`;
    this.message = sentence(this.place, this.expected, this.was);
    return this;
  }
}

function sentence(place: string, expected: string, was: string): string {
  return `expected ${place === '' ? '' : `${place} as `}${expected}, got ${was}`;
}

/** A value of JSON in the words of an error. Lists and objects are named: as text, a deep one would overflow the stack. */
function describeJson(value: unknown): string {
  if (value === undefined) return 'absent';
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (isRecord(value)) return 'an object';
  return typeof value === 'string' ? JSON.stringify(value.slice(0, 80)) : String(value).slice(0, 80);
}

/** The field `name`. @throws FieldError when it is absent or of another kind. */
export function fieldOf<T>(fields: JsonObject, name: string, kind: Kind<T>): T {
  const value = kind.read(fields[name]);
  if (value === undefined) throw new FieldError(name, kind.expected, fields[name]);
  return value;
}

/** The field `name`, or `absent` when it is not there, null or empty text. @throws FieldError when it is of another kind. */
export function optionalOf<T, Absent>(
  fields: JsonObject,
  name: string,
  kind: Kind<T>,
  absent: Absent,
): T | Absent {
  const value = fields[name];
  return value === undefined || value === null || value === '' ? absent : fieldOf(fields, name, kind);
}

/** `read` of each object of the list `name`, of at most `max`. @throws FieldError with the location of the item. */
export function eachOf<T>(
  fields: JsonObject,
  name: string,
  read: (item: JsonObject, index: number) => T,
  max?: number,
): T[] {
  const items = fieldOf(fields, name, LIST);
  if (max !== undefined && items.length > max) throw new FieldError(name, `a list of at most ${max}`, items);
  const done: T[] = [];
  try {
    for (const item of items) done.push(read(objectOf(item), done.length));
  } catch (thrown) {
    if (thrown instanceof FieldError) throw thrown.at(`${name}[${done.length}]`);
    throw thrown;
  }
  return done;
}

/** What `read` gives; a FieldError in it gets the location of its object. */
export function within<T>(place: string, read: () => T): T {
  try {
    return read();
  } catch (thrown) {
    if (thrown instanceof FieldError) throw thrown.at(place);
    throw thrown;
  }
}

/** `value` as an object. @throws FieldError */
export function objectOf(value: unknown): JsonObject {
  if (!isRecord(value)) throw new FieldError('', OBJECT.expected, value);
  return value;
}

/** `value` as an object that has no field but the known ones. @throws FieldError */
export function closed(value: unknown, known: readonly string[]): JsonObject {
  const fields = objectOf(value);
  for (const name of Object.keys(fields))
    if (!known.includes(name))
      throw new FieldError('', `an object without the field ${JSON.stringify(name)}`, value);
  return fields;
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

/** An id: text that is not empty, or an integer as its decimal text. */
export const ID: Kind<string> = {
  expected: 'an id',
  read: (value) =>
    typeof value === 'bigint' || Number.isSafeInteger(value) ? String(value) : TEXT.read(value),
};

/** Decimal text, exactly as it came. A JSON number has passed a binary fraction and is none. */
export const DECIMAL_TEXT: Kind<string> = {
  expected: 'decimal text',
  read: (value) => (isDecimalText(value) ? value : undefined),
};

/** An address of 20 bytes, in lower case. */
export const ADDRESS: Kind<string> = {
  expected: 'an address',
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

/** An integer of any length: a JSON number or decimal text, exactly (obligation O7). */
const BIG_INTEGER: Kind<bigint> = {
  expected: 'an integer',
  read: (value) => {
    if (typeof value === 'bigint') return value;
    if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : undefined;
    return typeof value === 'string' && INTEGER_TEXT.test(value) ? BigInt(value) : undefined;
  },
};

/** A position in a log, a nonce: an integer of 0 or more, of any length. */
export const NATURAL: Kind<bigint> = {
  expected: 'an integer of 0 or more',
  read: (value) => {
    const integer = BIG_INTEGER.read(value);
    return integer !== undefined && integer >= 0n ? integer : undefined;
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
    read: (value) => choices.find((choice) => choice === value),
  };
}
