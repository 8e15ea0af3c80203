/**
 * @module
 * Reads fields of a write's business body strictly: unknown fields, wrong types and null lists are refused with a precise
 * sentence. A refusal travels as {@link BodyRefused} inside this folder and leaves it as a value.
 */
import { isHex, isRecord, ProtocolError } from '../../../core/index.ts';
import type { KnownErrorCode } from '../error-codes.ts';

/** Why a body is no valid write. */
export interface WriteProblem {
  readonly code: KnownErrorCode;
  readonly message: string;
}

/** A body that breaks the interface. */
export class BodyRefused extends ProtocolError {
  readonly problem: WriteProblem;

  constructor(problem: WriteProblem) {
    super({
      code: 'PROTOCOL_BODY_INVALID',
      message: problem.message,
      remedy: 'Compare the body with openapi.yaml.',
    });
    this.problem = problem;
  }
}

/** Part of a body, with the name of its place for messages. */
export interface Part {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly place: string;
}

/** `value` as an object that has no fields but `known` ones. @throws BodyRefused */
export function partOf(value: unknown, place: string, known: readonly string[]): Part {
  if (!isRecord(value)) throw refused(`${place} as an object`, value);
  for (const name of Object.keys(value)) {
    if (!known.includes(name)) throw invalid(`expected no field ${JSON.stringify(name)} in ${place}`);
  }
  return { fields: value, place };
}

/** A list with at most `max` items; null is no list. @throws BodyRefused */
export function listOf(part: Part, name: string, max: number): readonly unknown[] {
  const value = part.fields[name];
  if (!Array.isArray(value)) throw refused(`${part.place}.${name} as a list`, value);
  if (value.length > max) throw refused(`${part.place}.${name} with at most ${max} items`, value.length);
  return value;
}

/** A text that is not empty. @throws BodyRefused */
export function textOf(part: Part, name: string): string {
  const value = part.fields[name];
  if (typeof value !== 'string' || value === '') throw refused(`${part.place}.${name} as text`, value);
  return value;
}

/** One of some texts. @throws BodyRefused */
export function choiceOf<Choice extends string>(
  part: Part,
  name: string,
  choices: readonly Choice[],
): Choice {
  const value = part.fields[name];
  const choice = choices.find((candidate) => candidate === value);
  if (choice === undefined) throw refused(`${part.place}.${name} as one of ${choices.join(', ')}`, value);
  return choice;
}

/** A flag. @throws BodyRefused */
export function flagOf(part: Part, name: string): boolean {
  const value = part.fields[name];
  if (typeof value !== 'boolean') throw refused(`${part.place}.${name} as true or false`, value);
  return value;
}

/** An instant in Unix ms, 0 for none. @throws BodyRefused */
export function msOf(part: Part, name: string): number {
  const value = part.fields[name];
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) {
    throw refused(`${part.place}.${name} as integer milliseconds`, value);
  }
  return value;
}

/** An integer within a range. @throws BodyRefused */
export function integerOf(part: Part, name: string, { min, max }: { min: number; max: number }): number {
  const value = part.fields[name];
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < min || value > max)
    throw refused(`${part.place}.${name} as an integer from ${min} to ${max}`, value);
  return value;
}

/** An address, in lower case. @throws BodyRefused */
export function addressOf(part: Part, name: string): string {
  const value = part.fields[name];
  if (!isHex(value, 20)) throw refused(`${part.place}.${name} as an address`, value);
  return value.toLowerCase();
}

/** The refusal "expected ..., was ...". */
export function refused(
  expected: string,
  was: unknown,
  code: KnownErrorCode = 'InvalidRequest',
): BodyRefused {
  return invalid(`expected ${expected}, was ${shownOf(was)}`, code);
}

/** Lists and objects are named, not shown: as text, one that is nested deep enough would overflow the stack. */
function shownOf(was: unknown): string {
  if (was === undefined) return 'absent';
  if (Array.isArray(was)) return `a list of ${was.length}`;
  if (typeof was === 'object' && was !== null) return 'an object';
  return String(typeof was === 'bigint' ? was : JSON.stringify(was)).slice(0, 80);
}

function invalid(message: string, code: KnownErrorCode = 'InvalidRequest'): BodyRefused {
  return new BodyRefused({ code, message });
}
