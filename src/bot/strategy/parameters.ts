/**
 * @module
 * Parameters of strategies: what they are made of, and what is wrong with given ones, by path. Configurations hand over
 * text (decimals never become binary fractions); code may hand over integers and booleans as well.
 */
import { z } from 'zod';
import {
  Decimal,
  DURATION_MAX,
  DURATION_TEXT,
  durationFrom,
  isDecimalText,
  isRecord,
  parseDurationMs,
} from '../../core/index.ts';
import type { MarketSymbol } from '../../domain/index.ts';
import {
  DECIMAL_OPTIONS,
  DURATION_OPTIONS,
  described,
  faulty,
  INTEGER_OPTIONS,
  isSchema,
  made,
  wrong,
} from './parameter-schema.ts';

/** A schema of parameters: an object of the scalars of {@link param}, or of any zod schema. */
export type ParameterSchema = z.ZodObject;

/** One thing that is wrong with given parameters. */
export interface ParameterProblem {
  /** Keys and indices from the parameters down, empty: the parameters as a whole. */
  readonly path: readonly (string | number)[];
  /** What would be right. */
  readonly expected: string;
}

interface Bounds {
  /** Decimal text. */
  readonly min?: string;
  readonly max?: string;
  /** Excludes `min` itself. */
  readonly above?: string;
}

/** Bounds of an integer. */
interface IntegerBounds {
  readonly min?: number;
  readonly max?: number;
}

function decimal(options: Bounds = {}) {
  return made('decimal', {
    options,
    forms: DECIMAL_OPTIONS,
    make: (bounds) => {
      const expected = ['a plain decimal', ...boundWords(bounds)].join(' ');
      return z
        .string({ error: ({ input }) => (input === undefined ? expected : `${expected} in quotes`) })
        .refine(isDecimalText, { error: expected, abort: true })
        .transform((text) => new Decimal(text))
        .refine((value) => isWithin(value, bounds), { error: expected });
    },
  });
}

function integer(options: IntegerBounds = {}) {
  return made('integer', { options, forms: INTEGER_OPTIONS, make: integerWithin });
}

function ppm(options: IntegerBounds = {}) {
  const given = isRecord(options) ? { ...PPM_BOUNDS, ...options } : options;
  const make = (bounds: IntegerBounds) => integerWithin({ ...PPM_BOUNDS, ...bounds });
  return made('ppm', { options: given, forms: INTEGER_OPTIONS, make });
}

const PPM_BOUNDS: IntegerBounds = { min: 0, max: 100_000 };

function integerWithin(bounds: IntegerBounds) {
  const { min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER } = bounds;
  const words = boundWords({
    ...(bounds.min === undefined ? {} : { min: `${bounds.min}` }),
    ...(bounds.max === undefined ? {} : { max: `${bounds.max}` }),
  });
  const expected = ['an integer', ...words].join(' ');
  return z
    .union([z.number(), z.string()], { error: expected })
    .refine((value) => typeof value === 'number' || /^-?(?:0|[1-9][0-9]{0,15})$/.test(value), {
      error: expected,
      abort: true,
    })
    .transform(Number)
    .refine((value) => Number.isSafeInteger(value) && value >= min && value <= max, { error: expected });
}

function flag(options?: undefined) {
  const expected = 'true or false';
  return made('flag', {
    options,
    forms: {},
    make: () =>
      z
        .union([z.boolean(), z.enum(['true', 'false'])], { error: expected })
        .transform((value) => value === true || value === 'true'),
  });
}

function choice<const Names extends readonly [string, ...string[]]>(names: Names) {
  const given: unknown = names;
  const isGood =
    Array.isArray(given) &&
    given.length > 0 &&
    given.every((name, at) => typeof name === 'string' && given.indexOf(name) === at);
  if (isGood) return z.enum(names, { error: `one of ${names.join(', ')}` });
  const fault = `expected the names of param.choice as a list of different texts like ['fast', 'slow'], got ${described(given)}`;
  return faulty(z.enum(['?'] as unknown as Names), fault);
}

function text(options?: undefined) {
  const make = () => z.string({ error: 'text' }).max(1_000, { error: 'text of at most 1,000 characters' });
  return made('text', { options, forms: {}, make });
}

function symbol(options?: undefined) {
  const expected = 'a market symbol';
  return made('symbol', {
    options,
    forms: {},
    make: () =>
      z
        .string({ error: expected })
        .regex(/^\S{1,64}$/, { error: expected })
        .transform((value) => value as MarketSymbol),
  });
}

function durationMs(options: Bounds = {}) {
  return made('durationMs', {
    options,
    forms: DURATION_OPTIONS,
    make: ({ min = '0ms', above, max = DURATION_MAX }) => {
      const least = above === undefined ? 0 : parseDurationMs(above) + 1;
      const from = parseDurationMs(min) >= least ? min : `${least}ms`;
      const { expected, read } = durationFrom(from, max);
      return z
        .string({ error: expected })
        .regex(DURATION_TEXT, { error: expected, abort: true })
        .refine((text) => read(text) !== undefined, { error: expected })
        .transform(parseDurationMs);
    },
  });
}

function list<Item extends z.ZodType>(item: Item) {
  if (isSchema(item)) return z.array(item, { error: 'a list' });
  const fault = `expected the kind of the items of param.list, such as param.text(), got ${described(item)}`;
  return faulty(z.array(z.any() as unknown as Item), fault);
}

function object<Shape extends z.ZodRawShape>(shape: Shape) {
  const given: unknown = shape;
  if (!isRecord(given) || isSchema(given))
    throw wrong(
      `expected param.object of parameters by their names, such as { size: param.decimal() }, got ${described(given)}`,
    );
  for (const [name, parameter] of Object.entries(given))
    if (!isSchema(parameter))
      throw wrong(`parameter ${name}: expected a kind such as param.integer(), got ${described(parameter)}`);
  return z.strictObject(shape);
}

/**
 * The scalars of parameters. Give a default with `.prefault('...')`, in the form a configuration has.
 * @example param.object({ size: param.decimal({ above: '0' }), levels: param.integer({ min: 1, max: 10 }).prefault(3) })
 */
export const param = {
  /** An exact decimal, given as text: a `Decimal`. Bounds `min`, `above` and `max` as text. */
  decimal,
  /** An integer. Bounds `min` and `max` as integers. */
  integer,
  /** An integer number of millionths; from 0 to a tenth unless bounds are given. */
  ppm,
  /** A boolean. */
  flag,
  /** One of the names given. */
  choice,
  /** Text. */
  text,
  /** A market symbol. */
  symbol,
  /** A length of time as text, in milliseconds. Bounds `min`, `above` and `max` as text like `'1ms'`. */
  durationMs,
  /** Several of the same kind. */
  list,
  /** The parameters themselves; a key that is not named is an error. */
  object,
} as const;

/** Given parameters, checked: values, or all problems. */
export type CheckedParameters<Values> =
  | { readonly isValid: true; readonly values: Values }
  | { readonly isValid: false; readonly problems: readonly ParameterProblem[] };

/** Checks `raw` against `schema`; `noun`: what a part of it is called. */
export function checkParameters<Schema extends ParameterSchema>(
  schema: Schema,
  raw: unknown,
  noun = 'parameter',
): CheckedParameters<z.output<Schema>> {
  const result = schema.safeParse(raw);
  if (result.success) return { isValid: true, values: result.data };
  return { isValid: false, problems: result.error.issues.flatMap((issue) => problemsOf(issue, noun)) };
}

/** A problem as people read it. @example describeProblem({ path: ['levels', 0], expected: 'text' }, 'parameters') */
export function describeProblem(problem: ParameterProblem, root: string): string {
  const path = problem.path.reduce<string>(
    (text, key) => (typeof key === 'number' ? `${text}[${key}]` : `${text}.${key}`),
    root,
  );
  return `${path}: expected ${problem.expected}`;
}

function problemsOf(issue: z.core.$ZodIssue, noun: string): ParameterProblem[] {
  const path = issue.path.map((key) => (typeof key === 'symbol' ? String(key) : key));
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({ path: [...path, key], expected: `no such ${noun}` }));
  return [{ path, expected: issue.message }];
}

function isWithin(value: Decimal, bounds: Bounds): boolean {
  return (
    (bounds.min === undefined || value.gte(bounds.min)) &&
    (bounds.above === undefined || value.gt(bounds.above)) &&
    (bounds.max === undefined || value.lte(bounds.max))
  );
}

function boundWords(bounds: Bounds): readonly string[] {
  const words: string[] = [];
  if (bounds.above !== undefined) words.push(`above ${bounds.above}`);
  if (bounds.min !== undefined && bounds.max !== undefined) words.push(`from ${bounds.min} to ${bounds.max}`);
  else if (bounds.min !== undefined) words.push(`of at least ${bounds.min}`);
  else if (bounds.max !== undefined) words.push(`up to ${bounds.max}`);
  return words;
}
