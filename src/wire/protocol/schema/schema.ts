/**
 * @module
 * One description of an answer, from which everything that depends on its fields follows: the type of its JSON (what the
 * embedded exchange writes), its form for people (decimals as Decimal, log positions as bigint) and its exact form for the
 * bot (ticks, lots, quantums). Types are inferred, so no two forms can differ. openapi.yaml stays the written document; a
 * test compares each schema with it, field by field. Unknown fields are passed over (obligation O14).
 */
import { FieldError, isRecord, type JsonObject, must, parseJson, within } from '../../../core/index.ts';
import { caught, type Decoded } from '../decode/decoded.ts';

/** The decimals of one market and of collateral: by these the exact form counts. */
export interface Scale {
  /** Decimals of prices as text. */
  readonly priceDecimals: number;
  /** Decimals of sizes as text. */
  readonly sizeDecimals: number;
  /** Decimals of amounts of collateral as text. */
  readonly collateralDecimals: number;
}

/** What the document calls a value. `decimal` is text that holds a number; `pair` is a list of two. */
export type DocumentType = 'text' | 'decimal' | 'integer' | 'flag' | 'object' | 'list' | 'pair';

/** A value of an answer: its JSON type, its form for people, its exact form. */
export interface Schema<Wire, People = Wire, Exact = People> {
  readonly type: DocumentType;
  /** Completes the sentence "expected a field as ...". */
  readonly expected: string;
  /** The values that the document lists. */
  readonly values?: readonly string[];
  /** Of an object. */
  readonly fields?: SchemaFields;
  /** Of a list. */
  readonly item?: AnySchema;
  /** Of a field that the document lets be null, or be absent; without it the field is always there. */
  readonly presence?: 'nullable' | 'optional';
  /** What the field reads as when it is absent, null or empty text; without it that is an error. */
  readonly absent?: { readonly value: null | undefined };
  /** The form for people, with `scale` the exact one; `undefined` for a value of another kind. */
  read(value: unknown, scale: Scale | undefined): People | Exact | undefined;
  /** Holds types and never a value. */
  readonly forms?: readonly [Wire, People, Exact];
}

/** Any schema. */
export type AnySchema = Schema<unknown, unknown, unknown>;
/** A schema by what people read. */
export type PeopleSchema<T> = Schema<unknown, T, unknown>;
/** Schemas by the names of fields. */
export type SchemaFields = Readonly<Record<string, AnySchema>>;
/** The JSON that a schema describes. */
export type Wire<S extends AnySchema> = NonNullable<S['forms']>[0];
/** What people read by a schema. */
export type People<S extends AnySchema> = NonNullable<S['forms']>[1];
/** What the bot reads by a schema. */
export type Exact<S extends AnySchema> = NonNullable<S['forms']>[2];

type OptionalSchema = { readonly presence: 'optional' };
type WireObject<Fields extends SchemaFields> = {
  readonly [Name in keyof Fields as Fields[Name] extends OptionalSchema ? never : Name]: Wire<Fields[Name]>;
} & {
  readonly [Name in keyof Fields as Fields[Name] extends OptionalSchema ? Name : never]?: Wire<Fields[Name]>;
};

/** A schema of an object with named fields. */
export interface RecordSchema<Fields extends SchemaFields>
  extends Schema<
    WireObject<Fields>,
    { readonly [Name in keyof Fields]: People<Fields[Name]> },
    { readonly [Name in keyof Fields]: Exact<Fields[Name]> }
  > {
  readonly fields: Fields;
}

/** An object with these fields. */
export function record<Fields extends SchemaFields>(fields: Fields): RecordSchema<Fields> {
  const named = namedOf(fields, Object.keys(fields));
  return {
    type: 'object',
    expected: 'an object',
    fields,
    read: (value, scale) =>
      isRecord(value) ? (readFields(value, named, scale) as Exact<RecordSchema<Fields>>) : undefined,
  };
}

/** A list of values of one kind. */
export function list<W, P, E>(item: Schema<W, P, E>): Schema<readonly W[], readonly P[], readonly E[]> {
  return {
    type: 'list',
    expected: 'a list',
    item,
    read: (value, scale) => {
      if (!Array.isArray(value)) return undefined;
      const read: unknown[] = [];
      try {
        for (const one of value) read.push(readValue(item, one, scale));
      } catch (thrown) {
        throw placed(thrown, `[${read.length}]`);
      }
      return read as E[];
    },
  };
}

/** Two values in a list. */
export function pair<W1, P1, E1, W2, P2, E2>(
  first: Schema<W1, P1, E1>,
  second: Schema<W2, P2, E2>,
): Schema<readonly [W1, W2], readonly [P1, P2], readonly [E1, E2]> {
  return {
    type: 'pair',
    expected: 'a pair',
    read: (value, scale) =>
      Array.isArray(value) && value.length === 2
        ? ([readValue(first, value[0], scale), readValue(second, value[1], scale)] as [E1, E2])
        : undefined,
  };
}

/** A field that is null where there is no value. */
export function nullable<W, P, E>(
  schema: Schema<W, P, E>,
): Schema<W | null, P | null, E | null> & { readonly presence: 'nullable' } {
  return { ...schema, presence: 'nullable', absent: { value: null } };
}

/** A field that the document lets be absent. */
export function optional<W, P, E>(
  schema: Schema<W, P, E>,
): Schema<W, P | undefined, E | undefined> & OptionalSchema {
  return { ...schema, presence: 'optional', absent: { value: undefined } };
}

/** A field that our document promises and another exchange may leave out: who reads it does without. */
export function assumed<W, P, E>(schema: Schema<W, P, E>): Schema<W, P | undefined, E | undefined> {
  return { ...schema, absent: { value: undefined } };
}

/** As {@link assumed}, read as null: there is no value, as for a {@link nullable} one. */
export function assumedOrNull<W, P, E>(schema: Schema<W, P, E>): Schema<W, P | null, E | null> {
  return { ...schema, absent: { value: null } };
}

/** A value that is handed on as it came, whatever the document says of its fields. */
export function asItCame<W>(schema: Schema<W, unknown, unknown>): Schema<W, unknown, unknown> {
  return { ...schema, absent: { value: undefined }, read: (value) => value };
}

/** The form for people of the answer in `json`; what breaks the interface is a value. */
export function decodeAnswer<T>(schema: PeopleSchema<T>, json: string): Decoded<T> {
  return caught(() => readForPeople(schema, parseJson(json), 'answer'));
}

/** The form for people of `value`. @throws FieldError that begins with `place`. */
export function readForPeople<T>(schema: PeopleSchema<T>, value: unknown, place: string): T {
  return within(place, () => readValue(schema, value, undefined) as T);
}

/**
 * Reads the named fields of an object in the exact form. Others are not looked at: a bot must not lose an order for a field
 * that it does not use.
 * @example const read = exactly(FILL, 'price', 'size'); const { price, size } = read(fields, scale);
 */
export function exactly<Fields extends SchemaFields, Name extends keyof Fields & string>(
  { fields }: RecordSchema<Fields>,
  ...names: readonly Name[]
): (object: JsonObject, scale: Scale) => { readonly [N in Name]: Exact<Fields[N]> } {
  const named = namedOf(fields, names);
  return (object, scale) => readFields(object, named, scale) as { readonly [N in Name]: Exact<Fields[N]> };
}

interface NamedField {
  readonly name: string;
  readonly schema: AnySchema;
}

function namedOf(fields: SchemaFields, names: readonly string[]): readonly NamedField[] {
  return names.map((name) => ({ name, schema: must(fields[name], `the field ${name}`) }));
}

function readFields(
  object: JsonObject,
  named: readonly NamedField[],
  scale: Scale | undefined,
): Record<string, unknown> {
  const read: Record<string, unknown> = {};
  let at = '';
  try {
    for (const { name, schema } of named) {
      at = name;
      read[name] = readValue(schema, object[name], scale);
    }
  } catch (thrown) {
    throw placed(thrown, at);
  }
  return read;
}

function readValue(schema: AnySchema, value: unknown, scale: Scale | undefined): unknown {
  const { absent } = schema;
  if (absent !== undefined && (value === undefined || value === null || value === '')) return absent.value;
  const read = schema.read(value, scale);
  if (read === undefined) throw new FieldError('', schema.expected, value);
  return read;
}

function placed(thrown: unknown, place: string): unknown {
  return thrown instanceof FieldError ? thrown.at(place) : thrown;
}
