/**
 * @module
 * What a receipt proves (outcomes-and-receipts.md, exchange.md#receipts). Pure. Only three answers are final: executed,
 * rejected with the nonce consumed, conflict; and only in the epoch the write was made in (obligation O119).
 */
import { FLAG_LIKE, type JsonObject, NATURAL, TEXT } from '../../core/index.ts';
import { readStatus } from '../../wire/protocol/index.ts';
import { epochOf, errorOf, fieldsOf, requestIdOf } from './bodies.ts';
import type { FinalOutcome } from './classify.ts';
import type { Expected } from './expected.ts';
import { matchItems } from './items.ts';
import type { NoAnswer, RawAnswer } from './ports.ts';

/** What was read from the answer to a receipt query. */
export type ReceiptReading =
  | { readonly kind: 'final'; readonly outcome: FinalOutcome }
  /** Another request used the nonce: the only proof of never. `by`: which one, lower case. */
  | { readonly kind: 'conflict'; readonly by: string | undefined }
  | { readonly kind: 'pending' }
  /** Nothing executed up to `asOfSeq`; it still can. `rejection`: what a delivery was refused with. */
  | {
      readonly kind: 'open';
      /** Log position of the replica that answered; `undefined`: not reported. */
      readonly asOfSeq: bigint | undefined;
      /** Why the write was rejected; `undefined`: it was not. */
      readonly rejection: OpenRejection | undefined;
    }
  /** The ledger is another one, which has come as far as `seq`: proves nothing. */
  | { readonly kind: 'otherEpoch'; readonly epoch: string; readonly seq: bigint | undefined }
  /** No information. */
  | { readonly kind: 'none'; readonly why: string; readonly afterMs: number | undefined };

/** A rejection that did not say that the nonce was consumed. */
export interface OpenRejection {
  /** The reason, in words. */
  readonly reason: string;
  /** `undefined`: not said; a conflict that names this very request settles it. */
  readonly nonceConsumed: false | undefined;
  readonly outcome: FinalOutcome;
}

/** Reads the answer to a receipt query of a write made in `epoch` (empty: not known). */
export function readReceipt(answer: RawAnswer | NoAnswer, expected: Expected, epoch: string): ReceiptReading {
  if (answer.kind !== 'answer') return none(answer.why);
  const fields = fieldsOf(answer.body);
  if (fields === undefined) return none(`status ${answer.status} with a body that is no JSON object`);
  if (answer.status === 200) return readFound(fields, answer, { expected, epoch });
  const error = errorOf(fields);
  if (error === undefined) return none(`status ${answer.status} without an error code`);
  const status = TEXT.read(error.details['status']) ?? error.code;
  const isNotFound = answer.status === 404 && status === 'not_found';
  const isConflict = answer.status === 409 && status === 'conflict';
  if (!isNotFound && !isConflict) {
    return { kind: 'none', why: `status ${answer.status} ${error.code}`, afterMs: answer.retryAfterMs };
  }
  const other = otherEpoch(error.details, epoch, NATURAL.read(error.details['asOfSeq']));
  if (other !== undefined) return other;
  if (isConflict) return { kind: 'conflict', by: requestIdOf(error.details, 'conflictingRequest') };
  return { kind: 'open', asOfSeq: NATURAL.read(error.details['asOfSeq']), rejection: undefined };
}

function readFound(
  fields: JsonObject,
  answer: RawAnswer,
  { expected, epoch }: { readonly expected: Expected; readonly epoch: string },
): ReceiptReading {
  const named = requestIdOf(fields, 'requestId');
  if (named !== undefined && named !== expected.requestId.toLowerCase())
    return none(`a receipt of another request ${named}`);
  const other = otherEpoch(fields, epoch, NATURAL.read(fields['seq']));
  if (other !== undefined) return other;
  const status = readStatus(fields['status']);
  if (status === 'pending') return { kind: 'pending' };
  if (status !== 'executed' && status !== 'rejected')
    return none(`a receipt that says ${String(fields['status'])}`);
  const isConsumed = FLAG_LIKE.read(fields['nonceConsumed']);
  const hasNoItems = status === 'rejected' && !(Array.isArray(fields['items']) && fields['items'].length > 0);
  const matched = hasNoItems ? undefined : matchItems(fields['items'], status, expected);
  if (matched?.isMatched === false) return none(matched.contradiction);
  const outcome: FinalOutcome = {
    status,
    reason: status === 'rejected' ? (TEXT.read(fields['reason']) ?? 'Unknown') : undefined,
    items: matched?.outcomes ?? [],
    seq: NATURAL.read(fields['seq']) ?? answer.seq,
    epoch: epochOf(fields),
  };
  if (isConsumed === true) return { kind: 'final', outcome };
  if (status === 'executed') return none('executed without a word that the nonce was consumed');
  const rejection = { reason: outcome.reason ?? 'Unknown', nonceConsumed: isConsumed, outcome };
  return { kind: 'open', asOfSeq: outcome.seq, rejection };
}

function otherEpoch(fields: JsonObject, epoch: string, seq: bigint | undefined): ReceiptReading | undefined {
  const said = epochOf(fields);
  return said === undefined || epoch === '' || said === epoch
    ? undefined
    : { kind: 'otherEpoch', epoch: said, seq };
}

function none(why: string): ReceiptReading {
  return { kind: 'none', why, afterMs: undefined };
}
