/**
 * @module
 * One description of an answer, from which everything that depends on its fields follows: the type of its JSON (what the
 * embedded exchange writes), its form for people (decimals as Decimal, log positions as bigint) and its exact form for the
 * bot (ticks, lots, quantums). Types are inferred, so no two forms can differ. openapi.yaml stays the written document; a
 * test compares each schema with it, field by field. Unknown fields are passed over (obligation O14).
 *
 * One rule for what other exchanges name otherwise: a field is looked for under its name and then under its other names
 * ({@link alsoNamed}); what is not needed may be absent ({@link assumed}); a position that the body leaves out is that of the
 * header.
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
  /** Other names under which exchanges have the field. */
  readonly aliases?: readonly string[];
  /** Of a field that the document lets be null, or be absent; without it the field is always there. */
  readonly presence?: 'nullable' | 'optional';
  /** What the field reads as when it is absent, null or empty text; without it that is an error. */
  readonly absent?: { readonly value: null | undefined };
  /** The form for people; `undefined` for a value of another kind. */
  read(value: unknown): People | undefined;
  /** The exact form; `undefined` for a value of another kind. */
  exact(value: unknown, scale: Scale): Exact | undefined;
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
  const names = Object.keys(fields);
  const each = (value: unknown, read: (schema: AnySchema, field: unknown) => unknown) => {
    if (!isRecord(value)) return undefined;
    const done: Record<string, unknown> = {};
    let at = '';
    try {
      for (at of names) done[at] = read(must(fields[at], at), fieldNamed(value, at, fields[at]));
    } catch (thrown) {
      throw placed(thrown, at);
    }
    return done;
  };
  return {
    type: 'object',
    expected: 'an object',
    fields,
    read: (value) => each(value, readValue) as People<RecordSchema<Fields>> | undefined,
    exact: (value, scale) =>
      each(value, (schema, field) => exactValue(schema, field, scale)) as
        | Exact<RecordSchema<Fields>>
        | undefined,
  };
}

/** A list of values of one kind. */
export function list<W, P, E>(item: Schema<W, P, E>): Schema<readonly W[], readonly P[], readonly E[]> {
  const each = (value: unknown, read: (one: unknown) => unknown) => {
    if (!Array.isArray(value)) return undefined;
    const done: unknown[] = [];
    try {
      for (const one of value) done.push(read(one));
    } catch (thrown) {
      throw placed(thrown, `[${done.length}]`);
    }
    return done;
  };
  return {
    type: 'list',
    expected: 'a list',
    item,
    read: (value) => each(value, (one) => readValue(item, one)) as P[] | undefined,
    exact: (value, scale) => each(value, (one) => exactValue(item, one, scale)) as E[] | undefined,
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
    read: (value) =>
      isPair(value) ? ([readValue(first, value[0]), readValue(second, value[1])] as [P1, P2]) : undefined,
    exact: (value, scale) =>
      isPair(value)
        ? ([exactValue(first, value[0], scale), exactValue(second, value[1], scale)] as [E1, E2])
        : undefined,
  };
}

function isPair(value: unknown): value is readonly [unknown, unknown] {
  return Array.isArray(value) && value.length === 2;
}

/** A field that is null where there is no value. */
export function nullable<W, P, E>(
  schema: Schema<W, P, E>,
): Schema<W | null, P | null, E | null> & { readonly presence: 'nullable' } {
  return { ...schema, presence: 'nullable', absent: { value: null } };
}

/** A field that the document lets be absent. */
export function mayBeAbsent<W, P, E>(
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

/** A field that other exchanges have under one of these names. */
export function alsoNamed<S extends AnySchema>(schema: S, ...aliases: readonly string[]): S {
  return { ...schema, aliases };
}

/** The value of a field, under its name or one of its other names. */
export function fieldNamed(object: JsonObject, name: string, schema: AnySchema | undefined): unknown {
  const value = object[name];
  if (schema?.aliases === undefined || !isNothing(value)) return value;
  const alias = schema.aliases.find((other) => !isNothing(object[other]));
  return alias === undefined ? value : object[alias];
}

/** A value that is handed on as it came, whatever the document says of its fields. */
export function asItCame<W>(schema: Schema<W, unknown, unknown>): Schema<W, unknown, unknown> {
  return { ...schema, absent: { value: undefined }, read: (value) => value, exact: (value) => value };
}

/**
 * The form for people of the answer in `json`; what breaks the interface is a value. `seq`: the position that the answer's
 * header has, for a body without one.
 */
export function decodeAnswer<T>(schema: PeopleSchema<T>, json: string, seq?: bigint): Decoded<T> {
  return caught(() => readForPeople(schema, withSeq(parseJson(json), seq), 'answer'));
}

/** The answer `value` at the position of its header, where the body has none. */
export function withSeq(value: unknown, seq: bigint | undefined): unknown {
  return seq === undefined || !isRecord(value) || !isNothing(value['seq']) ? value : { ...value, seq };
}

/** The form for people of `value`. @throws FieldError that begins with `place`. */
export function readForPeople<T>(schema: PeopleSchema<T>, value: unknown, place: string): T {
  return within(place, () => readValue(schema, value) as T);
}

/** The exact form of one field of an object. @throws FieldError */
export type ExactField<T> = (object: JsonObject, scale: Scale) => T;

/**
 * A reader for each field of a record, in the exact form. Who reads an entry calls those of the fields that it uses: a bot
 * must not lose an order for another. They are functions of their own, and no object is made of what they read, since all
 * frames go through here.
 * @example const fill = exactly(FILL); const ticks = fill.price(fields, scale);
 */
export function exactly<Fields extends SchemaFields>({
  fields,
}: RecordSchema<Fields>): { readonly [Name in keyof Fields]: ExactField<Exact<Fields[Name]>> } {
  const readers = Object.entries(fields).map(([name, schema]) => [name, exactField(name, schema)]);
  return Object.fromEntries(readers) as { [Name in keyof Fields]: ExactField<Exact<Fields[Name]>> };
}

function exactField(name: string, schema: AnySchema): ExactField<unknown> {
  const { absent, aliases, exact, expected } = schema;
  return (object, scale) => {
    const value = aliases === undefined ? object[name] : fieldNamed(object, name, schema);
    if (absent !== undefined && isNothing(value)) return absent.value;
    try {
      const read = exact(value, scale);
      if (read !== undefined) return read;
    } catch (thrown) {
      throw placed(thrown, name);
    }
    throw new FieldError(name, expected, value);
  };
}

function placed(thrown: unknown, place: string): unknown {
  return thrown instanceof FieldError ? thrown.at(place) : thrown;
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

function readValue(schema: AnySchema, value: unknown): unknown {
  return isNothing(value) && schema.absent !== undefined
    ? schema.absent.value
    : given(schema, value, schema.read(value));
}

function exactValue(schema: AnySchema, value: unknown, scale: Scale): unknown {
  return isNothing(value) && schema.absent !== undefined
    ? schema.absent.value
    : given(schema, value, schema.exact(value, scale));
}

function given({ expected }: AnySchema, value: unknown, read: unknown): unknown {
  if (read === undefined) throw new FieldError('', expected, value);
  return read;
}
