/**
 * @module
 * The one form of a strategy: `defineStrategy`, the default export of a module. It ties the schema of the parameters to
 * the code that uses them, so that inside `create` their types are known.
 */
import { z } from 'zod';
import { ConfigError } from '../../core/index.ts';
import { CANDLE_INTERVALS, type CandleInterval } from '../../domain/index.ts';
import type { BarMarket, BarRule } from './bars.ts';
import type { StrategyContext } from './context.ts';
import { HANDLER_NAMES, type StrategyHandlers } from './handlers.ts';
import { checkTopics, type MessageOf, type Topic } from './messages.ts';
import { refuseMisspelt, refuseUnknown } from './method-names.ts';
import { type ParameterForm, parameterForms } from './parameter-forms.ts';
import { checkSchema } from './parameter-schema.ts';
import {
  type CheckedParameters,
  checkParameters,
  describeProblem,
  type ParameterProblem,
  type ParameterSchema,
} from './parameters.ts';

/** What marks a definition, across two copies of this package as well. */
const MARK = Symbol.for('ballast.strategy');

/** What a blueprint holds. */
const BLUEPRINT_NAMES = [
  'name',
  'summary',
  'parameters',
  'candles',
  'publishes',
  'hears',
  'create',
  'bars',
] as const;
/** What the kernel and the bar engine call of a rule. */
const BAR_RULE_NAMES = [
  'targetLots',
  'stopTicks',
  'takeTicks',
  'onExit',
] as const satisfies readonly (keyof BarRule)[];

/** What a plugin writes. */
export interface StrategyBlueprint<Schema extends ParameterSchema, Heard extends Topic = never> {
  /** Lower-case letters, digits, dashes. */
  readonly name: string;
  /** One sentence for people. */
  readonly summary?: string;
  readonly parameters: Schema;
  /**
   * Intervals whose candles are there before `onStart`; absent: all. Each is a request for each market, so a strategy of
   * many markets that reads no candles starts sooner with `[]`: then none come later either.
   */
  readonly candles?: readonly CandleInterval[];
  /** Topics that it may publish; absent: none. */
  readonly publishes?: readonly Topic[];
  /** Topics of other strategies whose messages come to `onMessage`; absent: none. */
  readonly hears?: readonly Heard[];
  /** Makes one instance. Called once per instance in a run; nothing is known of the markets yet. */
  create(
    context: StrategyContext,
    parameters: z.output<Schema>,
  ): StrategyHandlers<z.output<Schema>, MessageOf<Heard>>;
  /** The decisions of the strategy as a rule over bars, for `ballast bars`; called once a market and run. */
  bars?(market: BarMarket, parameters: z.output<Schema>): BarRule;
}

/** One instance that was made. */
export interface StrategyInstance {
  readonly handlers: StrategyHandlers;
  /** Checks new parameters and hands them to the instance; what is wrong otherwise. */
  setParameters(raw: unknown): readonly ParameterProblem[];
}

/** A strategy as the runtime sees it. */
export interface StrategyDefinition {
  /** Name of the strategy in configurations. */
  readonly name: string;
  /** One line for lists of strategies. */
  readonly summary: string;
  /** Intervals whose candles are there before `onStart`. */
  readonly candles: readonly CandleInterval[];
  /** Topics that it may publish; absent: none. */
  readonly publishes?: readonly Topic[];
  /** Topics that it hears; absent: none. */
  readonly hears?: readonly Topic[];
  /** Checks given parameters without making anything. */
  check(raw: unknown): CheckedParameters<Readonly<Record<string, unknown>>>;
  /** Makes an instance. @throws ConfigError `STRATEGY_PARAMETERS_INVALID` naming every path. */
  create(context: StrategyContext, raw: unknown): StrategyInstance;
  /** Makes its rule over bars; absent: it has none. @throws ConfigError as {@link StrategyDefinition.create}. */
  readonly bars?: (market: BarMarket, raw: unknown) => BarRule;
  /** The schema of the parameters as JSON Schema, for editors. */
  jsonSchema(): object;
  /** Each parameter with its kind and its edges, for examinations. */
  forms(): readonly ParameterForm[];
}

/**
 * A {@link StrategyDefinition} from its blueprint. What its instances and rules call their handlers is checked when they
 * are made: `STRATEGY_NAME_MISSPELT`. @throws ConfigError when the name or a parameter is malformed.
 */
export function defineStrategy<Schema extends ParameterSchema, Heard extends Topic = never>(
  blueprint: StrategyBlueprint<Schema, Heard>,
): StrategyDefinition {
  const { name, summary = '', parameters: schema, bars, candles = CANDLE_INTERVALS } = blueprint;
  const { publishes = [], hears = [] } = blueprint;
  if (typeof name !== 'string' || !/^[a-z][a-z0-9-]{0,39}$/.test(name)) {
    throw new ConfigError({
      code: 'STRATEGY_NAME_INVALID',
      message: `expected a name of lower-case letters, digits and dashes, got ${JSON.stringify(name)}`,
      remedy: 'Rename the strategy.',
    });
  }
  refuseUnknown(blueprint, { of: `strategy ${name}`, kind: 'part', known: BLUEPRINT_NAMES });
  checkSchema(schema);
  checkTopics(publishes, `publishes of strategy ${name}`);
  checkTopics(hears, `hears of strategy ${name}`);
  const wrong = candles.find((interval) => !CANDLE_INTERVALS.includes(interval));
  if (wrong !== undefined)
    throw new ConfigError({
      code: 'STRATEGY_SCHEMA_INVALID',
      message: `expected the candles of strategy ${name} to be among ${CANDLE_INTERVALS.join(', ')}, got ${JSON.stringify(wrong)}`,
      remedy: 'Correct `candles`, or leave it out: all intervals are read then.',
    });
  if (typeof blueprint.create !== 'function')
    throw new ConfigError({
      code: 'STRATEGY_SCHEMA_INVALID',
      message: `expected strategy ${name} to have a function create, got ${typeof blueprint.create}`,
      remedy: 'Write `create: (context, parameters) => ({ ... })`.',
    });
  const definition: StrategyDefinition = {
    name,
    summary,
    candles,
    publishes,
    hears,
    check: (raw) => checkParameters(schema, raw),
    create: (context, raw) => {
      const handlers = blueprint.create(context, mustCheck(name, schema, raw));
      refuseMisspelt(handlers, { of: `strategy ${name}`, kind: 'handler', known: HANDLER_NAMES });
      checkHearing(handlers, name, hears);
      return {
        handlers: handlers as StrategyHandlers,
        setParameters: (next) => {
          if (handlers.onParameters === undefined)
            return [{ path: [], expected: `strategy ${name} to take new parameters while it runs` }];
          const checked = checkParameters(schema, next);
          if (!checked.isValid) return checked.problems;
          handlers.onParameters(checked.values);
          return [];
        },
      };
    },
    ...(bars === undefined
      ? {}
      : { bars: (market, raw) => ruleOf(bars(market, mustCheck(name, schema, raw)), name) }),
    jsonSchema: () => z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }),
    forms: () => parameterForms(schema),
  };
  return Object.assign(definition, { [MARK]: true });
}

/** True if `value` was made by {@link defineStrategy}, of this or of another copy of the package. */
export function isStrategyDefinition(value: unknown): value is StrategyDefinition {
  return typeof value === 'object' && value !== null && MARK in value;
}

/** A handler that is never called, or messages that go nowhere, and nothing would say so. */
function checkHearing(handlers: unknown, name: string, hears: readonly Topic[]): void {
  if (typeof handlers !== 'object' || handlers === null) return;
  const isHearing = 'onMessage' in handlers;
  if (isHearing === hears.length > 0) return;
  throw new ConfigError({
    code: 'STRATEGY_SCHEMA_INVALID',
    message: isHearing
      ? `expected strategy ${name} to declare the topics of its onMessage, got none in hears`
      : `expected strategy ${name} to have onMessage, since it hears ${hears.map((one) => one.name).join(', ')}`,
    remedy: 'Write `hears: [topic]` and `onMessage(message) { ... }`, or neither.',
  });
}

function ruleOf(rule: BarRule, name: string): BarRule {
  refuseMisspelt(rule, { of: `the bar rule of strategy ${name}`, kind: 'method', known: BAR_RULE_NAMES });
  return rule;
}

function mustCheck<Schema extends ParameterSchema>(
  name: string,
  schema: Schema,
  raw: unknown,
): z.output<Schema> {
  const checked = checkParameters(schema, raw);
  if (checked.isValid) return checked.values;
  const problems = checked.problems.map((problem) => describeProblem(problem, 'parameters'));
  throw new ConfigError({
    code: 'STRATEGY_PARAMETERS_INVALID',
    message: `expected valid parameters of strategy ${name}, got ${problems.join('; ')}`,
    remedy: "See the strategy's README for its parameters.",
    details: { problems },
  });
}
