/**
 * @module
 * Messages between the strategies of one run: topics with the schema of their values, what a strategy may publish, and how
 * a value comes to those who hear it. What this does not do: deliver; `bot/kernel` does.
 */
import type { z } from 'zod';
import {
  ConfigError,
  deepFrozen,
  isRecord,
  messageOf,
  nearestName,
  parseJson,
  type UnixMs,
} from '../../core/index.ts';
import type { StrategyId } from '../../domain/index.ts';
import { isMisspeltAs } from './method-names.ts';
import { checkSchema, described, isSchema, wrong } from './parameter-schema.ts';
import { checkParameters, describeProblem, type ParameterSchema } from './parameters.ts';

/** The longest value of a message, characters of JSON. */
const MESSAGE_CHARS_MAX = 10_000;
const NAME = /^[a-z][a-z0-9.-]{0,63}$/;
const REMEDY = 'docs/guides/write-a-strategy.md shows how strategies publish and hear messages.';

/** What messages are about, and the form of their values. Two topics of one name are one topic. */
export interface Topic<Name extends string = string, Schema extends ParameterSchema = ParameterSchema> {
  /** Lower-case letters, digits, dots, dashes. */
  readonly name: Name;
  readonly schema: Schema;
}

/** A message as it reaches `onMessage`, frozen. */
export interface StrategyMessage<Name extends string = string, Value = unknown> {
  /** Name of the topic. */
  readonly topic: Name;
  /** As the schema of the receiver gives it. */
  readonly value: Value;
  /** The strategy that published it. */
  readonly from: StrategyId;
  /** When it was published, Unix ms. */
  readonly atMs: UnixMs;
}

/** The message of a topic; of several topics, told apart by `topic`. */
export type MessageOf<Heard extends Topic> =
  Heard extends Topic<infer Name, infer Schema> ? StrategyMessage<Name, Readonly<z.output<Schema>>> : never;

/** A strategy as far as its messages go. */
export interface TopicNames {
  readonly publishes?: readonly Topic[];
  readonly hears?: readonly Topic[];
}

/** What a strategy has published. */
export interface Published {
  /** Name of the topic. */
  readonly topic: string;
  /** The value as JSON. */
  readonly json: string;
  /** The same as plain data, frozen. */
  readonly value: unknown;
}

/**
 * A topic. Its values are objects of the scalars of `param` (or of any zod schema), published in the form that a
 * configuration has: a decimal is text.
 * @example const signal = topic('signal', param.object({ side: param.choice(['buy', 'sell']) }));
 * @throws ConfigError `STRATEGY_SCHEMA_INVALID` for a malformed name or schema.
 */
export function topic<const Name extends string, Schema extends ParameterSchema>(
  name: Name,
  schema: Schema,
): Topic<Name, Schema> {
  if (typeof name !== 'string' || !NAME.test(name))
    throw wrong(
      `expected the name of a topic as up to 64 lower-case letters, digits, dots and dashes, got ${described(name)}`,
    );
  checkSchema(schema, `values of topic ${name}`);
  return Object.freeze({ name, schema });
}

/** The topics of a part of a blueprint. @throws ConfigError `STRATEGY_SCHEMA_INVALID` for what is no list of topics. */
export function checkTopics(given: unknown, part: string): void {
  if (!Array.isArray(given)) throw wrong(`expected ${part} as a list of topics, got ${described(given)}`);
  const names = new Set<string>();
  for (const one of given as readonly unknown[]) {
    if (!isTopic(one))
      throw wrong(`expected ${part} to hold what topic(name, schema) makes, got ${described(one)}`);
    if (names.has(one.name)) throw wrong(`expected each topic once in ${part}, got ${one.name} twice`);
    names.add(one.name);
  }
}

/**
 * A value as a strategy publishes it: copied, frozen, and checked by the schema of the topic that the strategy declares.
 * @throws ConfigError `STRATEGY_TOPIC_UNKNOWN` for a topic it does not declare, `STRATEGY_MESSAGE_INVALID` for a value that is
 * no JSON, too long, or not as the schema says.
 */
export function publishedBy(
  strategy: string,
  { publishes = [] }: TopicNames,
  { given, value }: { readonly given: unknown; readonly value: unknown },
): Published {
  const name = isTopic(given) ? given.name : described(given);
  const declared = publishes.find((one) => one.name === name);
  if (declared === undefined) throw unknownTopic(`topic that ${strategy} publishes`, publishes, name);
  const json = jsonOf(value);
  if (json.length > MESSAGE_CHARS_MAX)
    throw invalid(strategy, name, `at most ${MESSAGE_CHARS_MAX} characters of JSON, got ${json.length}`);
  const plain = deepFrozen(parseJson(json));
  const taken = takenBy(declared, plain);
  if ('problem' in taken) throw invalid(strategy, name, taken.problem);
  return { topic: declared.name, json, value: plain };

  function jsonOf(raw: unknown): string {
    try {
      const text = JSON.stringify(raw) as string | undefined;
      if (text !== undefined) return text;
    } catch (thrown) {
      throw invalid(strategy, name, `plain data (JSON), but ${messageOf(thrown)}`);
    }
    throw invalid(strategy, name, `plain data (JSON), got ${described(raw)}`);
  }
}

/** The value as the schema of a receiver gives it, or what is wrong with it. Never throws: a schema may be code of others. */
export function takenBy(
  { schema }: Topic,
  value: unknown,
): { readonly value: unknown } | { readonly problem: string } {
  try {
    const checked = checkParameters(schema, value, 'value');
    if (checked.isValid) return { value: checked.values };
    return { problem: checked.problems.map((one) => describeProblem(one, 'value')).join('; ') };
  } catch (thrown) {
    return { problem: `a value that its schema can read, but ${messageOf(thrown)}` };
  }
}

/** The topic that a strategy hears by this name. @throws ConfigError `STRATEGY_TOPIC_UNKNOWN` with the nearest name. */
export function heardTopic(strategy: string, { hears = [] }: TopicNames, name: string): Topic {
  const found = hears.find((one) => one.name === name);
  if (found === undefined) throw unknownTopic(`topic that ${strategy} hears`, hears, name);
  return found;
}

/**
 * Of the strategies of a run, the topics that one hears, none publishes, and that are a letter away from one that is
 * published and that nobody hears: both are the same, and one is misspelt.
 */
export function misspeltTopics(
  strategies: readonly TopicNames[],
): readonly { readonly at: number; readonly heard: string; readonly meant: string }[] {
  const names = (part: keyof TopicNames) =>
    new Set(strategies.flatMap((one) => one[part] ?? []).map((one) => one.name));
  const [published, heard] = [names('publishes'), names('hears')];
  const unheard = [...published].filter((name) => !heard.has(name));
  return strategies.flatMap(({ hears = [] }, at) =>
    hears.flatMap(({ name }) => {
      const meant = published.has(name) ? undefined : unheard.find((one) => isMisspeltAs(name, one));
      return meant === undefined ? [] : [{ at, heard: name, meant }];
    }),
  );
}

function isTopic(value: unknown): value is Topic {
  return (
    isRecord(value) &&
    typeof value['name'] === 'string' &&
    NAME.test(value['name']) &&
    isSchema(value['schema'])
  );
}

function unknownTopic(expected: string, known: readonly Topic[], name: string): ConfigError {
  const names = known.map((one) => one.name);
  const nearest = nearestName(names, name);
  return new ConfigError({
    code: 'STRATEGY_TOPIC_UNKNOWN',
    message: `expected a ${expected} (${names.join(', ') || 'it declares none'}), got ${name}${nearest === undefined ? '' : ` (did you mean ${nearest}?)`}`,
    remedy: `Name the topic in publishes or hears of the strategy. ${REMEDY}`,
  });
}

function invalid(strategy: string, topicName: string, expected: string): ConfigError {
  return new ConfigError({
    code: 'STRATEGY_MESSAGE_INVALID',
    message: `the message ${topicName} of ${strategy}: ${expected.startsWith('value') ? '' : 'expected '}${expected}`,
    remedy: REMEDY,
  });
}
