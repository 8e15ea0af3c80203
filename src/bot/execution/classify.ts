/**
 * @module
 * What an HTTP answer to a write proves (outcomes-and-receipts.md). Pure. Where a row leaves doubt the answer is
 * `unknown`: the receipt decides then, never a guess.
 */
import { FLAG_LIKE, type JsonObject, NATURAL, TEXT } from '../../core/index.ts';
import { isPreNonceReason, readStatus } from '../../wire/protocol/index.ts';
import { type ErrorBody, epochOf, errorOf, fieldsOf, requestIdOf } from './bodies.ts';
import type { Expected } from './expected.ts';
import { type ItemOutcome, matchItems } from './items.ts';
import type { NoAnswer, RawAnswer } from './ports.ts';

/** The end of a write whose nonce was consumed. */
export interface FinalOutcome {
  /** Executed as a whole, or rejected by the exchange with its nonce consumed. */
  readonly status: 'executed' | 'rejected';
  /** Of a rejection. */
  readonly reason: string | undefined;
  /** Of all items; empty for a rejection that names none. */
  readonly items: readonly ItemOutcome[];
  /** Position in the exchange's log; `undefined`: not known. */
  readonly seq: bigint | undefined;
  /** Epoch of the ledger; `undefined`: not reported. */
  readonly epoch: string | undefined;
}

/** What an answer to a write is. */
export type WriteClass =
  /** Row 1 and row 5: decided, the nonce is consumed. */
  | { readonly kind: 'final'; readonly outcome: FinalOutcome }
  /** Row 2: sequenced; the receipt will say more. */
  | { readonly kind: 'sequenced' }
  /** Row 3, 400, 401, 403, 404 and the pre-nonce reasons of row 5: nothing executed, the bytes stay alive. */
  | { readonly kind: 'refused'; readonly code: string }
  /** Row 3, 412, 421, 429: the same signed bytes again, after a while. */
  | { readonly kind: 'again'; readonly code: string; readonly afterMs: number | undefined }
  /** Row 4: the nonce belongs to another request, perhaps. `seq` of `epoch`: where the log refused it, if that was said. */
  | {
      readonly kind: 'conflict';
      /** Code of the exchange, such as a rejection reason. */
      readonly code: string;
      /** Position in the exchange's log; `undefined`: not known. */
      readonly seq: bigint | undefined;
      /** Epoch of the ledger; `undefined`: not reported. */
      readonly epoch: string | undefined;
    }
  /** Row 6. */
  | { readonly kind: 'unknown'; readonly why: string }
  /** The answer is about another request: it says nothing of ours (obligation O75). */
  | { readonly kind: 'mismatch'; readonly why: string }
  /** Row 7: not one byte left. */
  | { readonly kind: 'notSent'; readonly why: string };

/** What the log says of a request whose nonce is not the next one. */
export const NONCE_MISMATCH = 'NonceMismatch';

const REFUSED: ReadonlySet<number> = new Set([400, 401, 403, 404]);
const AGAIN: ReadonlySet<number> = new Set([412, 421, 429]);

/** Classifies the answer to a write. */
export function classifyAnswer(answer: RawAnswer | NoAnswer, expected: Expected): WriteClass {
  if (answer.kind !== 'answer')
    return answer.kind === 'notSent' ? { kind: 'notSent', why: answer.why } : unknown(answer.why);
  const fields = fieldsOf(answer.body);
  if (fields === undefined) return unknown(`status ${answer.status} with a body that is no JSON object`);
  const named = requestIdOf(fields, 'requestId');
  if (named !== undefined && named !== expected.requestId.toLowerCase())
    return { kind: 'mismatch', why: `the answer is about request ${named}` };
  if (answer.status === 200) return classifyResult(fields, answer, expected);
  if (answer.status === 202) return classifySequenced(fields, named);
  if (answer.status === 422) return classifyRejection(fields, answer, expected);
  return classifyError(answer, errorOf(fields));
}

function classifyResult(fields: JsonObject, answer: RawAnswer, expected: Expected): WriteClass {
  const status = readStatus(fields['status']);
  if (status === 'rejected') return classifyRejection(fields, answer, expected);
  if (status !== 'executed') return unknown(`status 200 that says ${String(fields['status'])}`);
  if (FLAG_LIKE.read(fields['nonceConsumed']) === false)
    return unknown('executed with a nonce that was not consumed');
  const matched = matchItems(fields['items'], 'executed', expected);
  if (!matched.isMatched) return unknown(matched.contradiction);
  return final(fields, answer, { status, reason: undefined, items: matched.outcomes });
}

/** Without a request id, and without an error code, a 202 is not one of ours. */
function classifySequenced(fields: JsonObject, named: string | undefined): WriteClass {
  if (named === undefined || fields['status'] !== 'sequenced')
    return unknown('status 202 that is not sequenced');
  return { kind: 'sequenced' };
}

/** 422 as error body or as whole answer, and 200 `rejected`: what was said of the nonce decides (obligation O30). */
function classifyRejection(fields: JsonObject, answer: RawAnswer, expected: Expected): WriteClass {
  const error = errorOf(fields);
  const body: JsonObject = error === undefined ? fields : { ...error.details };
  const reason = TEXT.read(body['reason']) ?? error?.code;
  if (reason === undefined) return unknown(`status ${answer.status} without a reason`);
  if (error === undefined && fields['status'] !== 'rejected')
    return unknown(`status ${answer.status} without a code`);
  const named = requestIdOf(body, 'requestId');
  if (named !== undefined && named !== expected.requestId.toLowerCase())
    return { kind: 'mismatch', why: `the answer is about request ${named}` };
  if (reason === NONCE_MISMATCH) return conflictOf(reason, body);
  const isConsumed = FLAG_LIKE.read(body['nonceConsumed']);
  if (isConsumed === undefined) return unknown(`rejected as ${reason}, without a word on the nonce`);
  if (!isConsumed) return { kind: 'refused', code: reason };
  if (isPreNonceReason(reason)) return unknown(`rejected as ${reason}, with a nonce that was consumed`);
  const items = body['items'] ?? fields['items'];
  if (!Array.isArray(items) || items.length === 0)
    return final(body, answer, { status: 'rejected', reason, items: [] });
  const matched = matchItems(items, 'rejected', expected);
  if (!matched.isMatched) return unknown(matched.contradiction);
  return final(body, answer, { status: 'rejected', reason, items: matched.outcomes });
}

function classifyError(answer: RawAnswer, error: ErrorBody | undefined): WriteClass {
  const { status } = answer;
  if (error === undefined) return unknown(`status ${status} without an error code`);
  const { code } = error;
  const conflict = conflictOf(code, error.details);
  if (status === 409) return conflict;
  if (REFUSED.has(status)) return code === NONCE_MISMATCH ? conflict : { kind: 'refused', code };
  if (AGAIN.has(status)) return { kind: 'again', code, afterMs: answer.retryAfterMs };
  return unknown(`status ${status} ${code}`);
}

function conflictOf(code: string, details: JsonObject): WriteClass {
  return { kind: 'conflict', code, seq: NATURAL.read(details['seq']), epoch: epochOf(details) };
}

function final(
  fields: JsonObject,
  answer: RawAnswer,
  outcome: Pick<FinalOutcome, 'status' | 'reason' | 'items'>,
): WriteClass {
  const seq = NATURAL.read(fields['seq']) ?? answer.seq;
  return { kind: 'final', outcome: { ...outcome, seq, epoch: epochOf(fields) } };
}

function unknown(why: string): WriteClass {
  return { kind: 'unknown', why };
}
