/**
 * @module
 * Parameters of actions and keys of sections: the kind of each, whether it must be given, what it means; and all that is
 * wrong with what was given.
 */
import { describeJson, isRecord } from './json.ts';
import type { Kind } from './kinds.ts';

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
export interface ParameterFinding {
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

/** The values of `input`, or all that is wrong with it. */
export function readParameters<P extends Parameters>(
  parameters: P,
  input: unknown,
): { readonly values: ValuesOf<P> } | { readonly problems: readonly ParameterFinding[] } {
  if (!isRecord(input))
    return {
      problems: [{ path: [], isName: false, expected: 'names with values', found: describeJson(input) }],
    };
  const problems: ParameterFinding[] = [];
  const values: Record<string, unknown> = {};
  const known = Object.keys(parameters);
  for (const name of Object.keys(input)) {
    if (Object.hasOwn(parameters, name)) continue;
    const expected = known.length === 0 ? 'no parameters' : `one of ${known.join(', ')}`;
    problems.push({ path: [name], isName: true, expected, found: describeJson(name) });
  }
  for (const [name, parameter] of Object.entries(parameters)) {
    const given = Object.hasOwn(input, name) ? input[name] : undefined;
    values[name] = given === undefined ? parameter.presetValue : parameter.type.read(given);
    if (given === undefined ? parameter.isRequired : values[name] === undefined)
      problems.push({
        path: [name],
        isName: false,
        expected: parameter.type.expected,
        found: describeJson(given),
      });
  }
  return problems.length > 0 ? { problems } : { values: values as ValuesOf<P> };
}
