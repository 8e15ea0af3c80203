/**
 * @module
 * Requests and answers of the exchange as plain values, the same over sockets and in process, and the two ways to make
 * an answer: a body, or a refusal in the form of the interface (openapi.yaml).
 */
import { errorCodeOf, type WireErrorBody } from '../../../wire/protocol/index.ts';

/** One HTTP request. Header names are in lower case. */
export interface ExchangeRequest {
  /** HTTP method. */
  readonly method: string;
  /** Path with its query, as it was sent. */
  readonly path: string;
  /** HTTP headers, names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Body as text; empty: none. */
  readonly body: string;
  /** The address that is charged for it. */
  readonly ip: string;
}

/** One HTTP answer. */
export interface ExchangeAnswer {
  /** HTTP status. */
  readonly status: number;
  /** HTTP headers. */
  readonly headers: Readonly<Record<string, string>>;
  /** Body as text; empty: none. */
  readonly body: string;
}

/** An answer that never comes: the pipe is cut. */
export const NO_RESPONSE = 'lost';

/** Outcome of a request. */
export type ExchangeReply = ExchangeAnswer | typeof NO_RESPONSE;

/** What a handler gives back: a status, a body to be written as JSON, and its own headers. */
export interface EndpointResult {
  /** HTTP status. */
  readonly status: number;
  /** A text is JSON already. */
  readonly body: object | string;
  /** Additional HTTP headers; absent: none. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A refusal: thrown nowhere, returned everywhere. */
export interface Refusal {
  /** Error code of the interface. */
  readonly code: string;
  /** Error text for people. */
  readonly message: string;
  /** Additional fields of the error body; absent: none. */
  readonly details?: Readonly<Record<string, unknown>>;
  /** Default: the status of the code, 422 for unknown codes. */
  readonly status?: number;
  /** Additional HTTP headers; absent: none. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** 200 with this body; a text is JSON already. */
export function ok(body: object | string, headers: Readonly<Record<string, string>> = {}): EndpointResult {
  return { status: 200, body, headers };
}

/** The error answer of a refusal. */
export function refuse(refusal: Refusal): EndpointResult {
  const known = errorCodeOf(refusal.code);
  const body: WireErrorBody = {
    error: {
      code: refusal.code,
      num: known?.num ?? 0,
      message: refusal.message,
      ...(refusal.details === undefined ? {} : { details: refusal.details }),
    },
  };
  return { status: refusal.status ?? known?.httpStatus ?? 422, body, headers: refusal.headers ?? {} };
}

/** A result as an answer with its headers. */
export function toAnswer(result: EndpointResult, headers: Readonly<Record<string, string>>): ExchangeAnswer {
  // One loop each: two spreads cost as much as the text of a small answer.
  const all: Record<string, string> = { 'content-type': 'application/json' };
  for (const name in headers) all[name] = headers[name] ?? '';
  for (const name in result.headers) all[name] = result.headers[name] ?? '';
  return {
    status: result.status,
    headers: all,
    // A body never contains a bigint; a replacer would cost more than the rest of the answer.
    body: typeof result.body === 'string' ? result.body : JSON.stringify(result.body),
  };
}
