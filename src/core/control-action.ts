/**
 * @module
 * The form of a control action: a name, parameters with their kinds and bounds, and what it does to a target. A list of
 * actions is a whole control API: it is called by name with what a request or a file holds ({@link runAction}), by
 * methods with values in code ({@link actionMethods}), and its reference page is made from it.
 */
import { BotError } from './errors.ts';
import { describeJson } from './json.ts';
import {
  type GivenOf,
  type ParameterFinding,
  type Parameters,
  readParameters,
  type ValuesOf,
} from './parameters.ts';

/** One thing that can be done to a target from outside. */
export interface ActionOn<
  Target,
  P extends Parameters = Parameters,
  Name extends string = string,
  Result extends object | Promise<object> = object | Promise<object>,
> {
  /** Lower case with hyphens, as in the path `/control/<name>`. */
  readonly name: Name;
  /** A sentence. */
  readonly description: string;
  readonly parameters: P;
  /** What the result holds. */
  readonly gives: string;
  /** True when a scenario may run it. What only reads, or moves time, it may not. */
  readonly isForScenarios: boolean;
  /** True when it changes nothing: it may be requested with GET. */
  readonly isRead: boolean;
  /** @throws BotError `CONTROL_INVALID`, `CONTROL_REFUSED`. */
  run(target: Target, values: ValuesOf<P>): Result;
}

/** The maker of the rows of one table, whose actions work on a `Target`. Rows give nothing and are for scenarios unless they say otherwise. */
export function actionsOn<Target>() {
  return <
    const Name extends string,
    const P extends Parameters,
    Result extends object | Promise<object>,
  >(row: {
    readonly name: Name;
    readonly description: string;
    readonly parameters: P;
    readonly gives?: string;
    readonly isForScenarios?: boolean;
    readonly isRead?: boolean;
    run(target: Target, values: ValuesOf<P>): Result;
  }): ActionOn<Target, P, Name, Result> => ({
    gives: 'nothing',
    isForScenarios: true,
    isRead: false,
    ...row,
  });
}

type MethodName<Name extends string> = Name extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<MethodName<Rest>>}`
  : Name;

/** Actions as methods: `rate-limit` is `rateLimit(values)`, and gives what the action gives. */
export type ActionMethods<Action extends ActionOn<never>> = {
  readonly [One in Action as MethodName<One['name']>]: (
    ...given: object extends GivenOf<One['parameters']>
      ? [given?: GivenOf<One['parameters']>]
      : [given: GivenOf<One['parameters']>]
  ) => ReturnType<One['run']>;
};

/** The methods of some actions on one target. Values are those of code: their types are checked, not their bounds. */
export function actionMethods<Target, Action extends ActionOn<Target>>(
  target: Target,
  actions: readonly Action[],
): ActionMethods<Action> {
  return Object.fromEntries<unknown>(
    actions.map((action) => [
      action.name.replace(/-([a-z])/g, (_all, letter: string) => letter.toUpperCase()),
      (given: Readonly<Record<string, unknown>> = {}) =>
        action.run(target, withPresets(action.parameters, given)),
    ]),
  ) as ActionMethods<Action>;
}

function withPresets(
  parameters: Parameters,
  given: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const values: Record<string, unknown> = {};
  for (const name in parameters) values[name] = given[name] ?? parameters[name]?.presetValue;
  return values;
}

/** Runs an action with parameters that were not checked yet; gives its result. @throws BotError `CONTROL_INVALID`, `CONTROL_REFUSED`. */
export function runAction<Target>(
  action: ActionOn<Target>,
  target: Target,
  input: unknown,
): object | Promise<object> {
  const read = readParameters(action.parameters, input);
  if ('problems' in read) throw invalidFields(read.problems);
  return action.run(target, read.values);
}

/** The error of one parameter that is wrong. */
export function invalidField(field: string, expected: string, found: unknown): BotError {
  return invalidFields([{ path: [field], isName: false, expected, found: describeJson(found) }]);
}

function invalidFields(problems: readonly ParameterFinding[]): BotError {
  const lines = problems.map(
    ({ path, expected, found }) => `${path.join('.') || '(body)'}: expected ${expected}, got ${found}`,
  );
  const [first] = problems;
  return new BotError({
    code: 'CONTROL_INVALID',
    message: lines.join('; '),
    remedy: 'Correct the parameter named above; GET /control lists the actions with their parameters.',
    details: { field: first?.path.join('.') ?? '', expected: first?.expected, found: first?.found },
  });
}

/** The error of an action that the state of its target forbids; `hint` says what to do about it. */
export function actionRefused(message: string, hint: string): BotError {
  return new BotError({
    code: 'CONTROL_REFUSED',
    message: `${message}: ${hint}`,
    remedy: 'Bring the target into the state that the message asks for, then run the action again.',
  });
}
