/**
 * @module
 * Parameters of strategies: what they are made of, and what is wrong with given ones, by path. Configurations hand over
 * text (decimals never become binary fractions); code may hand over integers and booleans as well.
 */
import { z } from 'zod';
import { Decimal, DURATION_TEXT, isDecimalText, parseDurationMs } from '../../core/index.ts';
import type { MarketSymbol } from '../../domain/index.ts';

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

function decimal(bounds: Bounds = {}) {
  const expected = ['a plain decimal', ...boundWords(bounds)].join(' ');
  return z
    .string({ error: ({ input }) => (input === undefined ? expected : `${expected} in quotes`) })
    .refine(isDecimalText, { error: expected, abort: true })
    .transform((text) => new Decimal(text))
    .refine((value) => isWithin(value, bounds), { error: expected });
}

function integer(bounds: { readonly min?: number; readonly max?: number } = {}) {
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

function ppm(bounds: { readonly min?: number; readonly max?: number } = {}) {
  return integer({ min: 0, max: 100_000, ...bounds });
}

function flag() {
  const expected = 'true or false';
  return z
    .union([z.boolean(), z.enum(['true', 'false'])], { error: expected })
    .transform((value) => value === true || value === 'true');
}

function choice<const Names extends readonly [string, ...string[]]>(names: Names) {
  return z.enum(names, { error: `one of ${names.join(', ')}` });
}

function text() {
  return z.string({ error: 'text' }).max(1_000, { error: 'text of at most 1,000 characters' });
}

function symbol() {
  const expected = 'a market symbol';
  return z
    .string({ error: expected })
    .regex(/^\S{1,64}$/, { error: expected })
    .transform((value) => value as MarketSymbol);
}

function durationMs({ min = '0ms', above }: { readonly min?: string; readonly above?: string } = {}) {
  const expected = 'a duration like 250ms, 5s, 2m or 1h';
  return z
    .string({ error: expected })
    .regex(DURATION_TEXT, { error: expected, abort: true })
    .transform(parseDurationMs)
    .refine((ms) => ms >= parseDurationMs(min), { error: `at least ${min}` })
    .refine((ms) => above === undefined || ms > parseDurationMs(above), { error: `above ${above}` });
}

/**
 * The scalars of parameters. Give a default with `.prefault('...')`, in the form a configuration has.
 * @example param.object({ size: param.decimal({ above: '0' }), levels: param.integer({ min: 1, max: 10 }).prefault(3) })
 */
export const param = {
  /** An exact decimal, given as text: a `Decimal`. */
  decimal,
  /** An integer. */
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
  /** A length of time as text, in milliseconds; bounds as text. */
  durationMs,
  /** Several of the same kind. */
  list: <Item extends z.ZodType>(item: Item) => z.array(item, { error: 'a list' }),
  /** The parameters themselves; a key that is not named is an error. */
  object: <Shape extends z.ZodRawShape>(shape: Shape) => z.strictObject(shape),
} as const;

/** Given parameters, checked: values, or all problems. */
export type CheckedParameters<Values> =
  | { readonly isValid: true; readonly values: Values }
  | { readonly isValid: false; readonly problems: readonly ParameterProblem[] };

/** Checks `raw` against `schema`. */
export function checkParameters<Schema extends ParameterSchema>(
  schema: Schema,
  raw: unknown,
): CheckedParameters<z.output<Schema>> {
  const result = schema.safeParse(raw);
  if (result.success) return { isValid: true, values: result.data };
  return { isValid: false, problems: result.error.issues.flatMap(problemsOf) };
}

function problemsOf(issue: z.core.$ZodIssue): ParameterProblem[] {
  const path = issue.path.map((key) => (typeof key === 'symbol' ? String(key) : key));
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({ path: [...path, key], expected: 'no such parameter' }));
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
