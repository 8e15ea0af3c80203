/**
 * @module
 * Reads the fields of JSON objects without trust: the kind of a value, and its location in the error. One reader for all
 * modules, each of which adds only its own nouns. Fields that no reader asks for are not looked at, unless the object is
 * {@link closed}.
 */
import { ProtocolError } from './errors.ts';
import { describeJson, isRecord } from './json.ts';
import { type JsonObject, type Kind, LIST, OBJECT } from './kinds.ts';

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
