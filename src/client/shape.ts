/**
 * @module
 * The shape of an answer as a value: what its fields are, and how each becomes exact. Decimal text becomes a Decimal, a
 * log position a bigint, everything else keeps its JSON form. Unknown fields are passed over (obligation O14), a field that
 * breaks the interface is an error that names its place. Types are inferred from shapes, so the two cannot differ.
 *
 * What this does not do: ticks and lots. Those are for bots and come from the decoders of `protocol`.
 */
import { Decimal, isDecimalText, isRecord, ProtocolError, parseJson } from '../core/index.ts';
import type { Decoded } from '../wire/protocol/index.ts';

/** How one value is read. */
export interface Shape<T> {
  /** @throws ProtocolError naming `place` when the value is another one. */
  read(value: unknown, place: string): T;
  /** What a list, or a value that may be absent, is made of. */
  readonly inner?: Shape<unknown>;
}

/** An object with named fields. */
export interface RecordShape<T> extends Shape<T> {
  readonly fields: Readonly<Record<string, Shape<unknown>>>;
}

/** What a shape reads. */
export type Read<S> = S extends Shape<infer T> ? T : never;

/** Text. */
export const text: Shape<string> = {
  read: (value, place) => (typeof value === 'string' ? value : refuse(place, 'text', value)),
};

/** An id: text, or an integer that stands for it (ambiguity A17). */
export const id: Shape<string> = {
  read: (value, place) =>
    typeof value === 'string' || typeof value === 'bigint' || Number.isSafeInteger(value)
      ? String(value)
      : refuse(place, 'an id', value),
};

/** A decimal number as text, exactly. A JSON number has passed a binary fraction and is refused. */
export const decimal: Shape<Decimal> = {
  read: (value, place) => (isDecimalText(value) ? new Decimal(value) : refuse(place, 'decimal text', value)),
};

/** An integer within 2^53: a count, a number of milliseconds, parts per million. Digits as text are read too. */
export const integer: Shape<number> = {
  read: (value, place) => {
    const number = typeof value === 'string' && /^-?[0-9]{1,16}$/.test(value) ? Number(value) : value;
    return Number.isSafeInteger(number) ? (number as number) : refuse(place, 'an integer', value);
  },
};

/** An integer that is not negative, of any length: a log position or a nonce. */
export const position: Shape<bigint> = {
  read: (value, place) => {
    const isInteger = typeof value === 'bigint' || Number.isSafeInteger(value);
    const isDigits = typeof value === 'string' && /^[0-9]{1,30}$/.test(value);
    const exact = isInteger || isDigits ? BigInt(value as bigint | number | string) : -1n;
    return exact >= 0n ? exact : refuse(place, 'an integer of 0 or more', value);
  },
};

/** True or false, also as 1, 0 and text (obligation O61). */
export const flag: Shape<boolean> = {
  read: (value, place) => {
    if (value === true || value === 'true' || value === 1) return true;
    return value === false || value === 'false' || value === 0
      ? false
      : refuse(place, 'true or false', value);
  },
};

/** Anything, as it came. */
export const anything: Shape<unknown> = { read: (value) => value };

/** An object with fields nobody knows in advance. */
export const object: Shape<Readonly<Record<string, unknown>>> = {
  read: (value, place) => (isRecord(value) ? value : refuse(place, 'an object', value)),
};

/** One of some texts. */
export function choice<const Choice extends string>(...choices: readonly Choice[]): Shape<Choice> {
  return {
    read: (value, place) =>
      choices.find((known) => known === value) ?? refuse(place, `one of ${choices.join(', ')}`, value),
  };
}

/** A value or null; an absent one is null too. */
export function nullable<T>(shape: Shape<T>): Shape<T | null> {
  return {
    inner: shape,
    read: (value, place) => (value === null || value === undefined ? null : shape.read(value, place)),
  };
}

/** A value that may be absent. */
export function optional<T>(shape: Shape<T>): Shape<T | undefined> {
  return {
    inner: shape,
    read: (value, place) => (value === null || value === undefined ? undefined : shape.read(value, place)),
  };
}

/** A list. */
export function list<T>(shape: Shape<T>): Shape<readonly T[]> {
  return {
    inner: shape,
    read: (value, place) =>
      Array.isArray(value)
        ? value.map((item, index) => shape.read(item, `${place}[${index}]`))
        : refuse(place, 'a list', value),
  };
}

/** Two values in a list. */
export function pair<A, B>(first: Shape<A>, second: Shape<B>): Shape<readonly [A, B]> {
  return {
    read: (value, place) =>
      Array.isArray(value) && value.length === 2
        ? [first.read(value[0], `${place}[0]`), second.read(value[1], `${place}[1]`)]
        : refuse(place, 'a pair', value),
  };
}

/** An object with these fields. */
export function record<Fields extends Readonly<Record<string, Shape<unknown>>>>(
  fields: Fields,
): RecordShape<{ readonly [Name in keyof Fields]: Read<Fields[Name]> }> {
  return {
    fields,
    read: (value, place) => {
      if (!isRecord(value)) return refuse(place, 'an object', value);
      const read: Record<string, unknown> = {};
      for (const [name, shape] of Object.entries(fields))
        read[name] = shape.read(value[name], `${place}.${name}`);
      return read as { readonly [Name in keyof Fields]: Read<Fields[Name]> };
    },
  };
}

/** The value of JSON text by its shape; what breaks the interface is a value. */
export function decodeBy<T>(shape: Shape<T>, json: string): Decoded<T> {
  try {
    return { ok: true, value: shape.read(parseJson(json), 'answer') };
  } catch (thrown) {
    if (thrown instanceof ProtocolError) return { ok: false, error: thrown };
    throw thrown;
  }
}

function refuse(place: string, expected: string, value: unknown): never {
  const was = value === undefined ? 'absent' : (JSON.stringify(value, digits) ?? typeof value).slice(0, 80);
  throw new ProtocolError({
    code: 'CLIENT_RESPONSE_MALFORMED',
    message: `expected ${place} to be ${expected}, was ${was}`,
    remedy: 'The other side does not speak the interface; check the base URL and any proxy in between.',
    effect: 'unknown',
  });
}

function digits(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value;
}
