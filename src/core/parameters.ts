/**
 * @module
 * Parameters of actions and keys of sections: how a value is read, what an error says was expected. JSON gives numbers
 * and booleans, YAML gives text; both are read by the same types. Prices, sizes and amounts are decimal text and never
 * numbers.
 */
import { isDecimalText } from './decimal.ts';
import type { Kind } from './fields.ts';
import { isRecord } from './json.ts';

/** One parameter. */
export interface Parameter<T> {
  readonly type: Kind<NonNullable<T>>;
  /** One line of help. */
  readonly about: string;
  /** True if there is no default. */
  readonly isRequired: boolean;
  /** What is taken when it is left out, in words; absent: nothing. */
  readonly preset?: string;
  /** The same as a value. */
  readonly presetValue: T;
}

/** Parameters by name. */
export type Parameters = Readonly<Record<string, Parameter<unknown>>>;
/** The values of some parameters. */
export type ValuesOf<P extends Parameters> = {
  readonly [Name in keyof P]: P[Name] extends Parameter<infer T> ? T : never;
};

/** A parameter that has to be given. */
export type RequiredParameter<T> = Parameter<T> & { readonly isRequired: true };
/** A parameter that may be left out. */
export type OptionalParameter<T> = Parameter<T> & { readonly isRequired: false };

/** What code passes for some parameters: those that may be left out may be missing or `undefined`. */
export type GivenOf<P extends Parameters> = {
  readonly [Name in keyof P as P[Name] extends RequiredParameter<unknown> ? Name : never]: ValuesOf<P>[Name];
} & {
  readonly [Name in keyof P as P[Name] extends RequiredParameter<unknown> ? never : Name]?:
    | ValuesOf<P>[Name]
    | undefined;
};

/** What is wrong with a value. `path` leads to it. */
export interface ParameterProblem {
  /** Keys and indexes from the root to the value. */
  readonly path: readonly (string | number)[];
  /** True if the name is wrong, not the value. */
  readonly isName: boolean;
  /** What was expected, in words. */
  readonly expected: string;
  /** What was found, in words. */
  readonly found: string;
}

/** A parameter that must be given. */
export function required<T>(type: Kind<NonNullable<T>>, about: string): RequiredParameter<T> {
  return { type, about, isRequired: true, presetValue: undefined as T };
}

/** A parameter that may be left out; then it is `undefined`, and what reads it knows what to do. */
export function optional<T>(
  type: Kind<NonNullable<T>>,
  about: string,
  preset?: string,
): OptionalParameter<T | undefined> {
  return {
    type: type as Kind<NonNullable<T | undefined>>,
    about,
    isRequired: false,
    presetValue: undefined,
    ...(preset === undefined ? {} : { preset }),
  };
}

/** A parameter that has a value when it is left out. */
export function preset<T>(type: Kind<T>, value: NoInfer<T>, about: string): OptionalParameter<T> {
  return {
    type: type as Kind<NonNullable<T>>,
    about,
    isRequired: false,
    preset: JSON.stringify(value),
    presetValue: value,
  };
}

/** Text of one line, not empty. */
export function text(expected = 'text'): Kind<string> {
  return {
    expected,
    read: (value) => (typeof value === 'string' && /^\P{Cc}{1,256}$/u.test(value) ? value : undefined),
  };
}

/** Text of any length, lines included. */
export const longText: Kind<string> = {
  expected: 'text',
  read: (value) => (typeof value === 'string' ? value : undefined),
};

/** An integer within bounds, both included. */
export function integer(min: number, max: number = Number.MAX_SAFE_INTEGER): Kind<number> {
  const above = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`;
  return {
    expected: `an integer ${above}`,
    read: (value) => {
      const number = typeof value === 'string' && /^-?(?:0|[1-9][0-9]{0,15})$/.test(value) ? +value : value;
      return Number.isSafeInteger(number) && (number as number) >= min && (number as number) <= max
        ? (number as number)
        : undefined;
    },
  };
}

/** A fraction of one, from 0 to 1. Probabilities are not money: a binary fraction is exact enough. */
export const share: Kind<number> = {
  expected: 'a number from 0 to 1',
  read: (value) => {
    const number = typeof value === 'string' && isDecimalText(value) ? +value : value;
    return typeof number === 'number' && number >= 0 && number <= 1 ? number : undefined;
  },
};

/** `true` or `false`. */
export const flag: Kind<boolean> = {
  expected: 'true or false',
  read: (value) =>
    value === true || value === 'true' ? true : value === false || value === 'false' ? false : undefined,
};

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** A length of time: text with its unit, or a number of ms. */
export function duration(max = '24h'): Kind<number> {
  const maxMs = durationOf(max) ?? 0;
  return {
    expected: `a duration like 250ms, 5s, 2m or 1h, at most ${max}`,
    read: (value) => {
      const durationMs = typeof value === 'string' ? durationOf(value) : value;
      return Number.isSafeInteger(durationMs) &&
        (durationMs as number) >= 0 &&
        (durationMs as number) <= maxMs
        ? (durationMs as number)
        : undefined;
    },
  };
}

function durationOf(given: string): number | undefined {
  const [, count, unit] = /^([0-9]{1,9})(ms|s|m|h)$/.exec(given) ?? [];
  return count === undefined || unit === undefined ? undefined : Number(count) * (UNIT_MS[unit] ?? 1);
}

/** A decimal that is not negative, as text: a number would have lost digits already. */
export const decimal: Kind<string> = {
  expected: 'decimal text like "12.5", not negative',
  read: (value) =>
    typeof value === 'string' && isDecimalText(value) && !value.startsWith('-') ? value : undefined,
};

/** One of some words. */
export function choice<const Words extends readonly string[]>(...words: Words): Kind<Words[number]> {
  return {
    expected: words.length === 1 ? `${words[0]}` : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`,
    read: (value) => words.find((word) => word === value),
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
export const textMap: Kind<Readonly<Record<string, string>>> = {
  expected: 'names with text, such as {"retry-after": "5"}',
  read: (value) =>
    isRecord(value) &&
    Object.entries(value).every(([key, one]) => /^[\w-]{1,64}$/.test(key) && typeof one === 'string')
      ? (value as Readonly<Record<string, string>>)
      : undefined,
};

/** The values of `input`, or all that is wrong with it. */
export function readParameters<P extends Parameters>(
  parameters: P,
  input: unknown,
): { readonly values: ValuesOf<P> } | { readonly problems: readonly ParameterProblem[] } {
  if (!isRecord(input))
    return {
      problems: [{ path: [], isName: false, expected: 'names with values', found: describeValue(input) }],
    };
  const problems: ParameterProblem[] = [];
  const values: Record<string, unknown> = {};
  const known = Object.keys(parameters);
  for (const name of Object.keys(input)) {
    if (Object.hasOwn(parameters, name)) continue;
    const expected = known.length === 0 ? 'no parameters' : `one of ${known.join(', ')}`;
    problems.push({ path: [name], isName: true, expected, found: describeValue(name) });
  }
  for (const [name, parameter] of Object.entries(parameters)) {
    const given = Object.hasOwn(input, name) ? input[name] : undefined;
    values[name] = given === undefined ? parameter.presetValue : parameter.type.read(given);
    if (given === undefined ? parameter.isRequired : values[name] === undefined)
      problems.push({
        path: [name],
        isName: false,
        expected: parameter.type.expected,
        found: describeValue(given),
      });
  }
  return problems.length > 0 ? { problems } : { values: values as ValuesOf<P> };
}

/** A value in the words of an error. */
export function describeValue(value: unknown): string {
  if (value === undefined || value === null || value === '') return 'nothing';
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === 'object') return 'an object';
  return JSON.stringify(typeof value === 'string' ? value.slice(0, 80) : value) ?? 'nothing';
}
