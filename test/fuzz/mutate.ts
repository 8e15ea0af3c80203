/**
 * @module
 * Makes hostile inputs out of well-formed ones, by a seed: text is cut, doubled, spliced and flipped; JSON gets fields
 * that are wrong, gone, too many, named twice, or nested without end.
 */
import { isRecord, type Random } from '../../src/core/index.ts';

const LONE_SURROGATE = '\ud800';
const DEPTH = 5000;

/** JSON texts that belong nowhere; some are no JSON at all. */
const RAW_TOKENS: readonly string[] = [
  'NaN',
  'Infinity',
  '-Infinity',
  '1e400',
  '-1e400',
  '-0',
  '1e-400',
  '0.1',
  '-1',
  '1e3',
  '0x10',
  '01',
  '+1',
  '9007199254740991',
  '9007199254740992',
  '18446744073709551615',
  '18446744073709551616',
  '12345678901234567',
  '1234567890123456789012345678901234567890',
  '-1234567890123456789012345678901234567890',
  'undefined',
  'null',
  'true',
  '""',
  '" 1"',
  '"1_000"',
  '"1,5"',
  '"1e3"',
  '"NaN"',
  '"-0"',
  '"-5"',
  '"0.0000000000000000000000000000000000000001"',
  '"12345678901234567890123456789012345678901"',
  '"abc"',
  '"1-2-x"',
  '"--"',
  '"__proto__"',
  '"constructor"',
  '"toString"',
  '"\\ud800"',
  `"${LONE_SURROGATE}"`,
  '"\\u0000"',
  '"\\u0661"',
  '[]',
  '{}',
  '[[]]',
  '{"length":4294967295}',
  '{"__proto__":{"polluted":true}}',
  '{"__pr\\u006fto__":{"polluted":true}}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  '{"toString":null,"valueOf":null}',
  '{"a":1,"a":2}',
];

/** Nested far deeper than anything is meant to be; dear, and so drawn seldom. */
const DEEP_TOKENS: readonly string[] = [
  `${'['.repeat(DEPTH)}${']'.repeat(DEPTH)}`,
  `${'{"a":'.repeat(DEPTH)}1${'}'.repeat(DEPTH)}`,
  '['.repeat(DEPTH),
];

/** Names of fields that belong nowhere. */
const NAMES = [
  '__proto__',
  '__pr\\u006fto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  '',
  'polluted',
  '0',
];

/** Pieces that are put into plain text. */
const SNIPPETS = [
  '\u0000',
  LONE_SURROGATE,
  '\u2028',
  '\ufeff',
  '\t',
  '\n',
  '\r\n',
  ' ',
  '-',
  '.',
  ',',
  ':',
  '"',
  '\\',
  '{',
  '}',
  '[',
  ']',
  '#',
  '&a ',
  '*a',
  '<<: ',
  '!!js/function ',
  '- ',
  '?',
  '|',
  '%',
  '0',
  '9'.repeat(17),
  '9'.repeat(40),
  'e9',
  '__proto__: ',
  'constructor: ',
];

/** Draws hostile inputs from samples. */
export class Mutator {
  readonly #random: Random;
  readonly #samples: readonly string[];
  readonly #tokens: readonly string[];

  /** `tokens`: values of this door in addition to the general ones. */
  constructor(random: Random, samples: readonly string[], tokens: readonly string[] = []) {
    this.#random = random;
    this.#samples = samples;
    this.#tokens = [...RAW_TOKENS, ...tokens, ...tokens];
  }

  /** The next input; seldom a sample as it stands. */
  next(): string {
    let text = this.#pick(this.#samples);
    if (this.#random.chance(0.02)) return text;
    for (let count = this.#random.integer(1, 3); count > 0; count--)
      text = (this.#random.chance(0.65) ? this.#mutateJson(text) : undefined) ?? this.#mutateText(text);
    return text;
  }

  #pick<T>(choices: readonly T[]): T {
    return choices[this.#random.integer(0, choices.length - 1)] as T;
  }

  #token(): string {
    return this.#random.chance(0.004) ? this.#pick(DEEP_TOKENS) : this.#pick(this.#tokens);
  }

  #mutateText(text: string): string {
    const from = this.#random.integer(0, text.length);
    const length = this.#random.chance(0.5)
      ? this.#random.integer(0, 4)
      : this.#random.integer(0, text.length);
    const to = Math.min(text.length, from + length);
    const head = text.slice(0, from);
    const span = text.slice(from, to);
    const tail = text.slice(to);
    switch (this.#random.integer(0, 7)) {
      case 0:
        return head;
      case 1:
        return head + tail;
      case 2:
        return head + span + span + tail;
      case 3:
        return head + this.#spanOfAnother() + tail;
      case 4:
        return head + this.#flipped(text.slice(from, from + 1)) + text.slice(from + 1);
      case 5:
        return head + this.#token() + tail;
      case 6:
        return head + this.#pick(SNIPPETS) + text.slice(from);
      default:
        return head + this.#pick(SNIPPETS) + tail;
    }
  }

  #spanOfAnother(): string {
    const other = this.#pick(this.#samples);
    const from = this.#random.integer(0, other.length);
    return other.slice(from, this.#random.integer(from, other.length));
  }

  #flipped(letter: string): string {
    return letter === '' ? '' : String.fromCharCode(letter.charCodeAt(0) ^ (1 << this.#random.integer(0, 7)));
  }

  /** `undefined` when the text is no JSON with parts. */
  #mutateJson(text: string): string | undefined {
    const value = parsed(text);
    const places = holdersOf(value);
    if (places.length === 0) return undefined;
    const holder = this.#pick(places);
    const names = Object.keys(holder);
    const name = names.length === 0 ? '0' : this.#pick(names);
    const marks: string[] = [];
    this.#change(holder, name, marks);
    return marks.reduce(
      (json, token, at) => json.replace(`"${MARK}${at}"`, () => token),
      jsonTextOf(value, text),
    );
  }

  #change(holder: Record<string, unknown>, name: string, marks: string[]): void {
    const mark = (token: string): string => `${MARK}${marks.push(token) - 1}`;
    const isList = Array.isArray(holder);
    switch (this.#random.integer(0, 5)) {
      case 0:
        if (isList) holder.splice(Number(name), 1);
        else delete holder[name];
        return;
      case 1:
        if (isList) holder.splice(Number(name), 0, holder[name as never] ?? null);
        else holder[mark(JSON.stringify(name))] = mark(this.#token());
        return;
      case 2:
        holder[isList ? name : mark(`"${this.#pick(NAMES)}"`)] = mark(this.#token());
        return;
      case 3:
        holder[name] = this.#foreignValue();
        return;
      default:
        holder[name] = mark(this.#token());
    }
  }

  /** A part of another sample. */
  #foreignValue(): unknown {
    const holders = holdersOf(parsed(this.#pick(this.#samples)));
    if (holders.length === 0) return null;
    const holder = this.#pick(holders);
    const values = Object.values(holder);
    return structuredClone(this.#random.chance(0.3) || values.length === 0 ? holder : this.#pick(values));
  }
}

/** Stands for a token in a value until it is text. */
const MARK = '@mark@';
const PARSED_LENGTH_MAX = 20_000;

function parsed(text: string): unknown {
  if (text.length > PARSED_LENGTH_MAX) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What was nested without end can be read, but not always be written again: it stays as it was. */
function jsonTextOf(value: unknown, otherwise: string): string {
  try {
    return JSON.stringify(value);
  } catch {
    return otherwise;
  }
}

/** Parts that lie deeper are left as they are. */
const HOLDER_DEPTH_MAX = 20;

/** All lists and objects within `value`, itself too. */
function holdersOf(value: unknown, depth = 0): Record<string, unknown>[] {
  const isHolder = Array.isArray(value) || isRecord(value);
  if (!isHolder || depth > HOLDER_DEPTH_MAX) return [];
  return [
    value as Record<string, unknown>,
    ...Object.values(value).flatMap((item) => holdersOf(item, depth + 1)),
  ];
}
