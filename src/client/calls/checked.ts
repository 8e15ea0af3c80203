/** @module Calls that read their arguments by what is said of them in data, before the function itself begins. */
import { misused } from '../errors.ts';
import { type Argument, type Field, mayGive, mustGive } from './argument.ts';
import { LISTENER } from './values.ts';

/** Names of the fields of a parameter. */
type NamesOf<T> = T extends (...args: never[]) => unknown ? never : Extract<keyof T, string>;
/** The same of a parameter of several forms, and of one that may be left out. */
type NamesOfAll<T> = T extends unknown ? NamesOf<T> : never;

/** What one call takes. `Names`: the fields of its first argument, all of them and no other. */
export interface Call<Names extends string = never> {
  readonly args: readonly Field[];
  /** True if it gives a list that is read step by step: what is wrong is thrown, not rejected with. */
  readonly isWalk: boolean;
  /** Never set: it binds {@link Names}. */
  readonly names?: (name: Names) => Names;
}

/** What the calls of a group take: each of them. */
export type CallsOf<Group> = {
  readonly [Name in keyof Group]-?: Group[Name] extends (...args: infer Args) => unknown
    ? Call<NamesOfAll<NonNullable<Args[0]>>>
    : never;
};

/** A call without arguments. */
export function nothing(): Call {
  return { args: [], isWalk: false };
}

/** A call that must be given parameters. */
export function call<Names extends string>(params: Argument<Names>): Call<Names> {
  return { args: [mustGive(params)], isWalk: false };
}

/** A call that may be given parameters. */
export function mayCall<Names extends string>(params: Argument<Names>): Call<Names> {
  return { args: [mayGive(params)], isWalk: false };
}

/** A call that gives a list step by step. */
export function walk<Names extends string>(params: Argument<Names>): Call<Names> {
  return { args: [mayGive(params)], isWalk: true };
}

/** A subscription. */
export function listen<Names extends string>(params: Argument<Names>): Call<Names> {
  return { args: [mustGive(params), mustGive(LISTENER)], isWalk: false };
}

/** What the calls of all groups take. */
export type CallsOfAll<Groups> = { readonly [Group in keyof Groups]: CallsOf<Groups[Group]> };

/** Groups of functions, each of which reads its arguments before it begins. */
export function checkedGroups<Groups extends object>(groups: Groups, calls: CallsOfAll<Groups>): Groups {
  const checked = Object.entries(groups).map(([name, group]: [string, object]) => [
    name,
    checkedCalls(name, group, calls[name as keyof Groups] as CallsOf<object>),
  ]);
  return Object.fromEntries(checked) as Groups;
}

/** The functions of a group, each of which reads its arguments first. They reject with, or throw, ClientUsageError. */
function checkedCalls<Group extends object>(name: string, group: Group, calls: CallsOf<Group>): Group {
  const checked = Object.entries(group).map(([method, run]: [string, Run]) => {
    const taken = calls[method as keyof Group] as Call;
    return [method, checkedCall(`${name}.${method}`, run, taken)];
  });
  return Object.fromEntries(checked) as Group;
}

type Run = (...args: readonly unknown[]) => unknown;

/** One function that reads its arguments first. */
export function checkedCall<F extends (...args: never[]) => unknown>(
  name: string,
  run: F,
  { args, isWalk }: Call,
): F {
  const checked = (...given: readonly unknown[]): unknown => {
    try {
      const read = readArguments(name, args, given);
      return (run as unknown as Run)(...read);
    } catch (thrown) {
      if (isWalk) throw thrown;
      return Promise.reject(thrown);
    }
  };
  return checked as unknown as F;
}

/** What a function was called with. @throws ClientUsageError */
export function readArguments(
  call: string,
  args: readonly Field[],
  given: readonly unknown[],
): readonly unknown[] {
  const extra = given.findIndex((one, at) => at >= args.length && one !== undefined);
  if (extra >= 0)
    throw misused({
      code: 'CLIENT_FIELD_UNKNOWN',
      message: `expected ${args.length === 0 ? 'no arguments' : `at most ${args.length} arguments`} of ${call}, got ${extra + 1}`,
      remedy: 'Put all parameters into the one object.',
    });
  return args.map(({ argument, isRequired }, at) =>
    given[at] === undefined && !isRequired ? undefined : argument.read(given[at], { call, path: '' }),
  );
}
