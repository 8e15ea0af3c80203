/**
 * @module
 * JSON that loses no digit. Integers above 2^53 - 1 come back as `bigint`, everything else as JSON.parse gives it
 * (obligation O7). `__proto__` keys are dropped.
 */
import { ProtocolError, ReadFault } from './errors.ts';

/** The longest text that is parsed; answers and frames are capped below this by the transport. */
const JSON_TEXT_LENGTH_MAX = 16 * 1024 * 1024;

/** A run of 16 or more digits outside of quotes can be an unsafe integer; only then the slow way is taken. */
const LONG_NUMBER = /(?:^|[:[,\s-])[0-9]{16,}/;
const LONG = 16;

/**
 * `text` as a value. @throws ProtocolError when it is not JSON.
 * @example parseJson('{"seq":18446744073709551615}') // { seq: 18446744073709551615n }
 */
export function parseJson(text: string): unknown {
  try {
    if (text.length > JSON_TEXT_LENGTH_MAX)
      throw new ReadFault(`longer than ${JSON_TEXT_LENGTH_MAX} characters`);
    if (!(hasLongRun(text) && LONG_NUMBER.test(text)) && !mayNamePrototype(text)) return JSON.parse(text);
    return JSON.parse(text, revive as (this: unknown, key: string, value: unknown) => unknown);
  } catch (cause) {
    throw new ProtocolError({
      code: 'CORE_JSON_INVALID',
      message: `expected JSON, got ${JSON.stringify(text.slice(0, 80))}`,
      remedy: 'The other side does not speak the interface; check the base URL and any proxy in between.',
      effect: 'unknown',
      cause,
    });
  }
}

/** True if there are 16 digits in a row. One character in 16 is looked at: such a run holds one of those. */
function hasLongRun(text: string): boolean {
  for (let probe = LONG - 1; probe < text.length; probe += LONG) {
    if (!isDigit(text, probe)) continue;
    let first = probe;
    while (isDigit(text, first - 1)) first--;
    let end = probe + 1;
    while (isDigit(text, end)) end++;
    if (end - first >= LONG) return true;
  }
  return false;
}

/** False outside of the text. */
function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0x30 && code <= 0x39;
}

/** True if a key of this JSON can be `__proto__`, written out or with escapes. Seldom true of texts without one. */
function mayNamePrototype(text: string): boolean {
  return text.includes('__proto__') || text.includes('\\u');
}

/** Node 24 hands the source text of a number to the reviver; older ones do not and are not supported. */
function revive(key: string, value: unknown, context?: { readonly source?: string }): unknown {
  if (key === '__proto__') return undefined;
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value;
  const source = context?.source;
  return source !== undefined && /^-?[0-9]+$/.test(source) ? BigInt(source) : value;
}

/** `value` as JSON; bigints become decimal text in quotes. */
export function formatJson(value: unknown, indent?: number): string {
  return JSON.stringify(
    value,
    (_key, item: unknown) => (typeof item === 'bigint' ? item.toString() : item),
    indent,
  );
}

/** True if `value` is an object with keys (not null, not a list). */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A value in the words of an error. Lists and objects are named: as text, a deep one would overflow the stack. */
export function describeJson(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (isRecord(value)) return 'an object';
  return typeof value === 'string' ? JSON.stringify(value.slice(0, 80)) : String(value).slice(0, 80);
}
