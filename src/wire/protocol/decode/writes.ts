/**
 * @module
 * Answers of writes, receipts and error bodies. Items are decoded one by one; holding them against what was sent is
 * execution's job (obligation O58). A status that is not known is malformed, so that the write stays unresolved.
 */
import { isRecord } from '../../../core/index.ts';
import type { Epoch, Lots, MarketSymbol, OrderId, RequestId, Seq } from '../../../domain/index.ts';
import {
  choiceOf,
  type DecodeContext,
  type Decoded,
  decoded,
  eachOf,
  type Fields,
  flagLike,
  integerOf,
  malformed,
  marketOf,
  objectOf,
  optionalId,
  optionalInteger,
  optionalOrderId,
  optionalSeq,
  optionalSize,
  optionalText,
  textOf,
} from './fields.ts';
import { readVaultEffect, type VaultEffect } from './vaults.ts';

/** What became of one item. Cancels and placements are numbered separately (exchange.md#write-answers). */
export interface ItemResult {
  readonly inputIndex: number;
  readonly kind: 'place' | 'cancel';
  readonly symbol: MarketSymbol;
  readonly state: 'accepted' | 'canceled' | 'rejected';
  readonly orderId: OrderId | undefined;
  /** Of a rejection; `Unspecified` when the exchange gave none. */
  readonly reason: string | undefined;
  /** Of an accepted placement; smaller than asked for when a reduce-only order was clamped. */
  readonly acceptedLots: Lots | undefined;
  readonly filledLots: Lots | undefined;
  readonly isResting: boolean | undefined;
  /** Of an executed cancel. */
  readonly canceledLots: Lots | undefined;
}

/** What an executed or rejected write says of itself, in its answer or its receipt. */
export interface WriteResult {
  readonly status: 'executed' | 'rejected';
  readonly requestId: RequestId;
  readonly epoch: Epoch | undefined;
  readonly seq: Seq | undefined;
  /** `undefined`: not known (obligation O61). */
  readonly nonceConsumed: boolean | undefined;
  readonly reason: string | undefined;
  /** The same request had been executed before; this is its outcome (exchange.md#request-id). */
  readonly isDuplicate: boolean;
  readonly items: readonly ItemResult[];
  /** Of a vault operation that was executed. */
  readonly vault?: VaultEffect;
}

/** In the log, outcome not known yet: ask the receipt, do not resubmit. */
export interface WritePending {
  readonly status: 'sequenced' | 'pending';
  readonly requestId: RequestId;
  readonly epoch: Epoch | undefined;
  readonly seq: Seq | undefined;
}

/** The body of a 200 or a 202 on a write. */
export function decodeWriteAnswer(text: string, context: DecodeContext): Decoded<WriteResult | WritePending> {
  return decoded(text, (value) => readOutcome(value, ['sequenced', 'executed', 'rejected'], context));
}

/** The body of a 200 of GET /v1/requests/{requestId}. */
export function decodeReceipt(text: string, context: DecodeContext): Decoded<WriteResult | WritePending> {
  return decoded(text, (value) => readOutcome(value, ['pending', 'executed', 'rejected'], context));
}

function readOutcome(
  value: unknown,
  statuses: readonly ('sequenced' | 'pending' | 'executed' | 'rejected')[],
  context: DecodeContext,
): WriteResult | WritePending {
  const fields = objectOf(value, 'answer');
  const status = choiceOf(fields, 'status', statuses);
  const common = {
    requestId: textOf(fields, 'requestId').toLowerCase() as RequestId,
    epoch: optionalId(fields, 'epoch') as Epoch | undefined,
    seq: optionalSeq(fields),
  };
  if (status === 'sequenced' || status === 'pending') return { status, ...common };
  const vault = readVaultEffect(fields, context);
  return {
    status,
    ...common,
    nonceConsumed: flagLike(fields, 'nonceConsumed'),
    reason: optionalText(fields, 'reason'),
    isDuplicate: flagLike(fields, 'duplicate') ?? false,
    items: fields['items'] === undefined ? [] : eachOf(fields, 'items', (item) => readItem(item, context)),
    ...(vault === undefined ? {} : { vault }),
  };
}

function readItem(fields: Fields, context: DecodeContext): ItemResult {
  const market = marketOf(fields, context);
  const kind = choiceOf(fields, 'kind', ['place', 'cancel']);
  const state = choiceOf(
    fields,
    'state',
    kind === 'place' ? ['accepted', 'rejected'] : ['canceled', 'rejected'],
  );
  const orderId = optionalOrderId(fields, 'orderId');
  // Without its number an order that may rest could never be canceled.
  if (state === 'accepted' && orderId === undefined)
    throw malformed('orderId of an accepted order', undefined);
  return {
    inputIndex: integerOf(fields, 'inputIndex'),
    kind,
    symbol: market.symbol,
    state,
    orderId,
    reason: state === 'rejected' ? (optionalText(fields, 'reason') ?? 'Unspecified') : undefined,
    acceptedLots: optionalSize(fields, 'size', market),
    filledLots: optionalSize(fields, 'filledSize', market),
    isResting: flagLike(fields, 'resting'),
    canceledLots: optionalSize(fields, 'canceledSize', market),
  };
}

/** An error the gateway answered with. Decisions use `code` and `details`, never `message` (obligation O72). */
export interface ErrorBody {
  readonly code: string;
  readonly num: number | undefined;
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** The body of an answer that is no success; not `ok` when it has no well-formed `error.code` (obligation O73). */
export function decodeErrorBody(text: string): Decoded<ErrorBody> {
  return decoded(text, (value) => {
    const error = objectOf(objectOf(value, 'answer')['error'], 'error');
    const details = error['details'];
    return {
      code: textOf(error, 'code'),
      num: typeof error['num'] === 'number' ? optionalInteger(error, 'num', undefined) : undefined,
      message: typeof error['message'] === 'string' ? error['message'] : '',
      details: isRecord(details) ? details : {},
    };
  });
}
