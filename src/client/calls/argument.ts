/**
 * @module
 * What a call takes, as data: values with their kind, records with fields, lists. One reader checks every call of a client
 * by it before anything is sent. Typing errors must not become other orders: a field that is not known is refused with the
 * known one that is most like it, wherever it comes from (a literal, a prototype, a getter, an instance of a class).
 */
import { describeJson, type Kind, nearestName } from '../../core/index.ts';
import { misused } from '../errors.ts';

/** Where a value is in a call. */
export interface Place {
  /** The call, such as `orders.place`. */
  readonly call: string;
  /** The path in its parameters, such as `orders[1].side`; empty: the parameters themselves. */
  readonly path: string;
}

/** CallFields that a short description of an object names. */
const NAMED_MAX = 6;

/** A row of the table that describes a call. */
export interface ArgumentRow {
  /** Name of the field, with its path. */
  readonly name: string;
  /** What it must be, in words. */
  readonly expected: string;
  /** True if it must be given. */
  readonly isRequired: boolean;
  /** The fields of the other form, of which it is one way; empty: there is only this one. */
  readonly insteadOf: readonly string[];
}

/** One argument or field. */
export interface ArgumentReader {
  /** Completes the sentence "expected a field as ...". */
  readonly expected: string;
  /** What it read. @throws ClientUsageError */
  read(given: unknown, place: Place): unknown;
  /** Its fields; empty for a value. `path` is its own. */
  rows(path: string): readonly ArgumentRow[];
}

/** A reader whose fields have these names, which the compiler compares with those of a type. */
export interface Argument<Names extends string = never> extends ArgumentReader {
  /** Never set: it binds {@link Names} in both directions. */
  readonly names?: (name: Names) => Names;
}

/** A field: what it is, and whether it must be given. */
export interface Field {
  readonly argument: ArgumentReader;
  readonly isRequired: boolean;
}

/** CallFields by name. */
export type CallFields = Readonly<Record<string, Field>>;

/** A field that must be given. */
export function mustGive(argument: ArgumentReader): Field {
  return { argument, isRequired: true };
}

/** A field that may be left out or be `undefined`. */
export function mayGive(argument: ArgumentReader): Field {
  return { argument, isRequired: false };
}

/** How a value that is wrong is refused. */
interface Refusal {
  readonly code: string;
  readonly remedy: string;
  /** True if the value must not be shown. */
  readonly isSecret?: boolean;
}

const FIELD_INVALID: Refusal = {
  code: 'CLIENT_FIELD_INVALID',
  remedy: 'docs/reference/client.md has a table of types for each call.',
};

/** A value of one kind. */
export function value<T>(
  kind: Kind<T>,
  { code, remedy, isSecret = false }: Refusal = FIELD_INVALID,
): Argument {
  return {
    expected: kind.expected,
    read(given, place) {
      const read = kind.read(given);
      if (read !== undefined) return read;
      const got = isSecret ? typeof given : describeJson(given);
      throw misused({ code, message: `expected ${said(place)} as ${kind.expected}, got ${got}`, remedy });
    },
    rows: () => [],
  };
}

/** A value that may be null too. */
export function orNull(argument: Argument): Argument {
  return {
    ...argument,
    expected: `${argument.expected}, or null`,
    read: (given, place) => (given === null ? null : argument.read(given, place)),
  };
}

/** A list of at least `least` items. */
export function itemsOf(item: ArgumentReader, least = 1): Argument {
  return {
    expected: 'a list',
    read(given, place) {
      if (!Array.isArray(given)) throw invalid(place, 'a list', given);
      if (given.length < least)
        throw misused({
          code: 'CLIENT_ITEMS_MISSING',
          message: `expected at least one item in ${said(place)}, got none`,
          remedy: 'Ask for something.',
        });
      return Array.from(given, (one, at) => item.read(one, { ...place, path: `${place.path}[${at}]` }));
    },
    rows: (path) => item.rows(`${path}[]`),
  };
}

/** Two forms of one thing; the second is meant where one of its fields is given. Never both. */
type Forms = readonly [usual: CallFields, other: CallFields];

type KeysOf<T> = T extends unknown ? Extract<keyof T, string> : never;

/** An object with these fields and one of two forms, or of each of several pairs of forms. Others are refused. */
export function withFields<Own extends CallFields, const Pairs extends readonly Forms[]>(
  fields: Own,
  ...forms: Pairs
): Argument<KeysOf<Own> | KeysOf<Pairs[number][0]> | KeysOf<Pairs[number][1]>> {
  const all: CallFields = Object.assign({}, fields, ...forms.flat());
  const names = Object.keys(all);
  const expected = `an object with ${names.length > NAMED_MAX ? 'fields' : names.join(', ')}`;
  return {
    expected,
    read(given, place) {
      if (Object.prototype.toString.call(given) !== '[object Object]') throw invalid(place, expected, given);
      const object = given as object;
      const values = new Map(namesOf(object).map((name) => [name, Reflect.get(object, name) as unknown]));
      for (const name of values.keys()) if (!Object.hasOwn(all, name)) throw unknown(place, name, names);
      const chosen = forms.map((pair) => formOf(pair, values, place));
      return readFields(Object.assign({}, fields, ...chosen), values, place);
    },
    rows: (path) =>
      Object.entries(all).flatMap(([name, { argument, isRequired }]) => {
        const own = join(path, name);
        const insteadOf = forms.flatMap(([usual, other]) =>
          Object.hasOwn(usual, name)
            ? Object.keys(other)
            : Object.hasOwn(other, name)
              ? Object.keys(usual)
              : [],
        );
        return [{ name: own, expected: argument.expected, isRequired, insteadOf }, ...argument.rows(own)];
      }),
  };
}

function readFields(fields: CallFields, values: ReadonlyMap<string, unknown>, place: Place): object {
  const read: Record<string, unknown> = {};
  for (const [name, { argument, isRequired }] of Object.entries(fields)) {
    const given = values.get(name);
    if (given !== undefined || isRequired)
      read[name] = argument.read(given, { ...place, path: join(place.path, name) });
  }
  return read;
}

/** The form that is meant. @throws ClientUsageError when fields of both are given. */
function formOf([usual, other]: Forms, values: ReadonlyMap<string, unknown>, place: Place): CallFields {
  const given = (form: CallFields) => Object.keys(form).filter((name) => values.get(name) !== undefined);
  const [ofUsual, ofOther] = [given(usual), given(other)];
  if (ofOther.length === 0) return usual;
  if (ofUsual.length === 0) return other;
  throw misused({
    code: 'CLIENT_FORM_INVALID',
    message: `expected ${said(place)} with ${ofOther.join(', ')} or ${ofUsual.join(', ')}, got both`,
    remedy: 'Name the one thing in one form.',
  });
}

/**
 * The names of an object's fields, those of its classes and prototypes among them. Methods of a prototype are no fields,
 * getters are.
 */
function namesOf(object: object): readonly string[] {
  const names = new Set<string>();
  let own: object | null = object;
  while (own !== null && !isRoot(own)) {
    for (const [name, { get, value: held }] of Object.entries(Object.getOwnPropertyDescriptors(own)))
      if (own === object || get !== undefined || typeof held !== 'function') names.add(name);
    own = Object.getPrototypeOf(own) as object | null;
  }
  return [...names];
}

/** True for the prototype of all objects, that of another realm too. */
function isRoot(object: object): boolean {
  return Object.getPrototypeOf(object) === null && Object.hasOwn(object, 'isPrototypeOf');
}

function unknown(place: Place, name: string, known: readonly string[]) {
  const near = nearestName(known, name);
  const expected = known.length === 0 ? 'no fields' : `only ${known.join(', ')}`;
  return misused({
    code: 'CLIENT_FIELD_UNKNOWN',
    message: `expected ${expected} in ${said(place)}, got ${JSON.stringify(name.slice(0, 60))}${near === undefined ? '' : `: did you mean ${near}?`}`,
    remedy: near === undefined ? FIELD_INVALID.remedy : `Write ${near}. Nothing was sent.`,
  });
}

function invalid(place: Place, expected: string, given: unknown) {
  const message = `expected ${said(place)} as ${expected}, got ${describeJson(given)}`;
  return misused({ ...FIELD_INVALID, message });
}

function said({ call, path }: Place): string {
  return path === '' ? call : `${path} of ${call}`;
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}
