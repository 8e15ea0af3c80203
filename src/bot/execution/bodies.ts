/**
 * @module
 * Fields of answers, read without trust: a field of another type is absent, never converted. Unknown fields are
 * ignored (obligation O14), messages are never looked at (O72).
 */
import { isRecord, parseJson } from '../../core/index.ts';

/** A JSON object. */
export type Fields = Readonly<Record<string, unknown>>;

/** An error body that keeps the interface. */
export interface ErrorBody {
  readonly code: string;
  readonly details: Fields;
}

const NO_FIELDS: Fields = {};

/** The JSON object of a body; `undefined` when it is none. */
export function fieldsOf(body: string): Fields | undefined {
  try {
    const value = parseJson(body);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The error of a body; `undefined` without a well-formed `error.code` (a proxy's page; obligation O73). */
export function errorOf(fields: Fields | undefined): ErrorBody | undefined {
  const error = fields?.['error'];
  if (!isRecord(error)) return undefined;
  const { code, details } = error;
  if (typeof code !== 'string' || code === '') return undefined;
  return { code, details: isRecord(details) ? details : NO_FIELDS };
}

/** A text that is not empty. */
export function textOf(fields: Fields, name: string): string | undefined {
  const value = fields[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** An integer that is not negative, as number or as text, exactly. */
export function integerOf(fields: Fields, name: string): bigint | undefined {
  const value = fields[name];
  if (typeof value === 'bigint') return value >= 0n ? value : undefined;
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? BigInt(value) : undefined;
  return typeof value === 'string' && /^[0-9]{1,30}$/.test(value) ? BigInt(value) : undefined;
}

/** `nonceConsumed` is boolean-like: true, "true", 1 and their opposites; anything else is unknown (obligation O61). */
export function booleanOf(fields: Fields, name: string): boolean | undefined {
  const value = fields[name];
  if (value === true || value === 'true' || value === 1 || value === '1') return true;
  if (value === false || value === 'false' || value === 0 || value === '0') return false;
  return undefined;
}

/** A request id in lower case. */
export function requestIdOf(fields: Fields, name: string): string | undefined {
  return textOf(fields, name)?.toLowerCase();
}

/** An epoch: compared for equality only (ambiguity A12), so a number becomes its text. */
export function epochOf(fields: Fields): string | undefined {
  const value = fields['epoch'];
  return typeof value === 'number' || typeof value === 'bigint' ? value.toString() : textOf(fields, 'epoch');
}
