/**
 * @module
 * How parameters of strategies are made: the options of each kind in their right forms, and defaults that hold. Authors
 * write them in TypeScript without a compiler looking on, so that nothing of them is certain.
 */
import { z } from 'zod';
import {
  ConfigError,
  describeJson,
  durationFrom,
  isDecimalText,
  isRecord,
  parseDurationMs,
} from '../../core/index.ts';

/** The form of one option of a kind of parameter. */
interface OptionForm {
  readonly is: (value: unknown) => boolean;
  /** What is right in place of `value`. */
  readonly expected: (value: unknown) => string;
  /** A value as a number, to see whether bounds cross. */
  readonly numberOf: (value: unknown) => number;
}

const DECIMAL_FORM: OptionForm = {
  is: (value) => typeof value === 'string' && isDecimalText(value),
  expected: (value) => `decimal text like '${typeof value === 'number' ? value : '0.5'}'`,
  numberOf: Number,
};
const INTEGER_FORM: OptionForm = {
  is: Number.isSafeInteger,
  expected: () => 'an integer like 1',
  numberOf: Number,
};
const DURATION_FORM: OptionForm = {
  is: (value) => typeof value === 'string' && durationFrom('0ms').read(value) !== undefined,
  expected: (value) => `text of a duration like '${Number.isSafeInteger(value) ? value : 1}ms'`,
  numberOf: (value) => parseDurationMs(String(value)),
};
/** Options of a kind with such bounds. */
export const DECIMAL_OPTIONS = { min: DECIMAL_FORM, above: DECIMAL_FORM, max: DECIMAL_FORM };
/** Options of a kind with such bounds. */
export const INTEGER_OPTIONS = { min: INTEGER_FORM, max: INTEGER_FORM };
/** Options of a kind with such bounds. */
export const DURATION_OPTIONS = { min: DURATION_FORM, above: DURATION_FORM, max: DURATION_FORM };

/** What is wrong in how a parameter was made. The parameter has no name yet: {@link checkSchema} tells it. */
const FAULTS = z.registry<{ readonly fault: ConfigError }>();

/** How a parameter was made: its kind, and the options that it was given. */
export interface MadeAs {
  readonly kind: string;
  readonly options: unknown;
}

const MADE = z.registry<MadeAs>();

/** How `schema` was made by {@link made}; `undefined`: otherwise. */
export function madeAs(schema: z.core.$ZodType): MadeAs | undefined {
  return MADE.get(schema);
}

/** `make` of the options, or of none where something is wrong with them. */
export function made<Options, Schema extends z.ZodType>(
  kind: string,
  {
    options,
    forms,
    make,
  }: {
    readonly options: Options;
    readonly forms: Readonly<Record<string, OptionForm>>;
    readonly make: (options: Partial<Options>) => Schema;
  },
): Schema {
  const fault = optionFault(kind, options, forms);
  if (fault !== undefined) return faulty(make({}), fault);
  const schema = make(options);
  MADE.add(schema, { kind, options });
  return schema;
}

/** `schema`, marked as made in a wrong way. */
export function faulty<Schema extends z.ZodType>(schema: Schema, fault: string): Schema {
  // Of a schema of its own: those of zod may be shared.
  const own = schema.clone();
  FAULTS.add(own, { fault: wrong(fault) });
  return own;
}

/** The error of parameters that are made in a wrong way. */
export function wrong(message: string, cause?: unknown): ConfigError {
  return new ConfigError({
    code: 'STRATEGY_SCHEMA_INVALID',
    message,
    remedy: 'docs/guides/write-a-strategy.md shows each kind of parameter with its options.',
    cause,
  });
}

/** What is wrong with the options of a kind; `undefined`: nothing. */
function optionFault(
  kind: string,
  options: unknown,
  forms: Readonly<Record<string, OptionForm>>,
): string | undefined {
  const names = Object.keys(forms);
  if (options === undefined) return undefined;
  if (names.length === 0) return `expected no options of param.${kind}, got ${described(options)}`;
  if (!isRecord(options))
    return `expected the options of param.${kind} as { ${names.join(', ')} }, got ${described(options)}`;
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined) continue;
    const form = Object.hasOwn(forms, name) ? forms[name] : undefined;
    if (form === undefined) return `expected an option of param.${kind} (${names.join(', ')}), got ${name}`;
    if (!form.is(value))
      return `expected the option ${name} of param.${kind} as ${form.expected(value)}, got ${described(value)}`;
  }
  return crossedBounds(kind, options, forms['max']);
}

function crossedBounds(
  kind: string,
  { min, above, max }: Readonly<Record<string, unknown>>,
  form: OptionForm | undefined,
): string | undefined {
  if (form === undefined || max === undefined) return undefined;
  const most = form.numberOf(max);
  const isAbove = above !== undefined && form.numberOf(above) >= most;
  if (!isAbove && (min === undefined || form.numberOf(min) <= most)) return undefined;
  return `expected the options of param.${kind} to allow a value, got from ${String(isAbove ? above : min)} to ${String(max)}`;
}

/** What was given, in words. */
export function described(value: unknown): string {
  if (typeof value === 'function') return 'a function';
  return isSchema(value) ? 'a parameter' : describeJson(value);
}

/** True for a schema of zod. */
export function isSchema(value: unknown): value is z.ZodType {
  return typeof value === 'object' && value !== null && '_zod' in value;
}

/** Checks how parameters, or `what` else, were made, their defaults as well. @throws ConfigError `STRATEGY_SCHEMA_INVALID` naming each parameter. */
export function checkSchema(schema: unknown, what = 'parameters'): void {
  if (!isSchema(schema) || schema._zod.def.type !== 'object')
    throw wrong(`expected ${what} made by param.object({ ... }), got ${described(schema)}`);
  const faults = [...faultsOf(schema, '')];
  const [first] = faults;
  if (first === undefined) return;
  throw wrong(faults.map(({ name, fault }) => `parameter ${name}: ${fault.message}`).join('; '), first.fault);
}

interface NamedFault {
  readonly name: string;
  readonly fault: ConfigError;
}

/** What is wrong in a schema and in what it is made of. */
function* faultsOf(schema: z.core.$ZodType, name: string): Generator<NamedFault> {
  const { fault } = FAULTS.get(schema) ?? {};
  if (fault !== undefined) {
    yield { name, fault };
    return;
  }
  const { def } = schema._zod;
  let count = 0;
  for (const [part, inner] of innerSchemas(def))
    for (const one of faultsOf(inner, part === '' ? name : name === '' ? part : `${name}.${part}`)) {
      count++;
      yield one;
    }
  const given = 'defaultValue' in def ? def.defaultValue : undefined;
  if (count > 0 || def.type !== 'prefault') return;
  const result = z.safeParse(schema, undefined);
  const issue = result.success ? undefined : result.error.issues[0];
  if (issue !== undefined)
    yield { name, fault: wrong(`expected its default as ${issue.message}, got ${described(given)}`) };
}

/** The schemas that a definition of zod holds; those of an object with their names. */
function* innerSchemas(def: object): Generator<readonly [string, z.core.$ZodType]> {
  for (const [key, value] of Object.entries(def)) {
    if (isSchema(value)) yield ['', value];
    else if (key === 'shape' && isRecord(value))
      for (const [name, one] of Object.entries(value)) if (isSchema(one)) yield [name, one];
  }
}
