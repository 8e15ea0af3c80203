/**
 * @module
 * Bodies of answers, read without trust: a field of another kind is absent, never converted. Unknown fields are ignored
 * (obligation O14), messages are never looked at (O72).
 */
import { ID, isRecord, type JsonObject, parseJson, TEXT } from '../../core/index.ts';
import type { OrderId } from '../../domain/index.ts';

/** An error body that keeps the interface. */
export interface ErrorBody {
  /** Code of the error. */
  readonly code: string;
  /** Further values of the error. */
  readonly details: JsonObject;
}

/** The JSON object of a body; `undefined` when it is none. */
export function fieldsOf(body: string): JsonObject | undefined {
  try {
    const value = parseJson(body);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The error of a body; `undefined` without a well-formed `error.code` (a proxy's page; obligation O73). */
export function errorOf(fields: JsonObject | undefined): ErrorBody | undefined {
  const error = fields?.['error'];
  const code = isRecord(error) ? TEXT.read(error['code']) : undefined;
  if (!isRecord(error) || code === undefined) return undefined;
  const { details } = error;
  return { code, details: isRecord(details) ? details : {} };
}

/** A request id in lower case. */
export function requestIdOf(fields: JsonObject, name: string): string | undefined {
  return TEXT.read(fields[name])?.toLowerCase();
}

/** The number of an order: text or a number (ambiguity A17); `undefined`: there is none. */
export function orderIdOf(fields: JsonObject): OrderId | undefined {
  const text = ID.read(fields['orderId']);
  return text !== undefined && /^[0-9]+$/.test(text) ? (text as OrderId) : undefined;
}

/** An epoch: compared for equality only (ambiguity A12), so a number becomes its text. */
export function epochOf(fields: JsonObject): string | undefined {
  return ID.read(fields['epoch']);
}
