/** @module What writes, receipts and errors answer. */
import { assumed, list, mayBeAbsent, record } from './schema.ts';
import {
  choice,
  choiceAlso,
  epoch,
  flag,
  id,
  integer,
  object,
  orderId,
  position,
  seq,
  size,
  text,
  word,
} from './values.ts';
import { VAULT_EFFECT } from './vault.ts';

/** The outcome of one item of a write. Cancels and placements are numbered separately from 0, by `inputIndex`. */
export const ITEM = record({
  inputIndex: integer,
  kind: word('place', 'cancel'),
  symbol: assumed(text),
  state: choice('accepted', 'canceled', 'rejected'),
  /** Of an accepted placement, and of the target of every cancel. */
  orderId: mayBeAbsent(orderId),
  clientOrderId: mayBeAbsent(text),
  reason: mayBeAbsent(text),
  /** Of an accepted placement: smaller than asked for when a reduce-only order was clamped. */
  size: mayBeAbsent(size),
  filledSize: mayBeAbsent(size),
  resting: mayBeAbsent(flag),
  /** Of an executed cancel. */
  canceledSize: mayBeAbsent(size),
});

/** Other words for the outcome of a write. */
const ALSO = { ok: 'executed' } as const;

/** 200 on a write. `rejected` with items is a batch of which every item was rejected. */
export const WRITE_ANSWER = record({
  requestId: text,
  status: choiceAlso(ALSO, 'executed', 'rejected'),
  epoch: assumed(epoch),
  seq: assumed(seq),
  sub: assumed(integer),
  nonceConsumed: assumed(flag),
  batchStatus: mayBeAbsent(word('ok', 'partial', 'none')),
  reason: mayBeAbsent(text),
  duplicate: mayBeAbsent(flag),
  items: assumed(list(ITEM)),
  vault: mayBeAbsent(VAULT_EFFECT),
});

/** 202 on a write. */
export const SEQUENCED_ANSWER = record({ status: choice('sequenced'), requestId: text, seq: assumed(seq) });

/** 200 of GET /v1/requests/{requestId}. */
export const RECEIPT = record({
  requestId: text,
  status: choiceAlso(ALSO, 'pending', 'executed', 'rejected'),
  epoch: assumed(epoch),
  seq: assumed(seq),
  sub: assumed(integer),
  signer: assumed(text),
  nonceScope: assumed(text),
  nonce: assumed(position),
  nonceConsumed: mayBeAbsent(flag),
  reason: mayBeAbsent(text),
  items: mayBeAbsent(list(ITEM)),
  vault: mayBeAbsent(VAULT_EFFECT),
});

/** Any of the three, for people. */
export const OUTCOME = record({
  ...WRITE_ANSWER.fields,
  ...RECEIPT.fields,
  status: choiceAlso(ALSO, 'sequenced', 'pending', 'executed', 'rejected'),
});

/** Every answer that is no success. `details` of receipts: status, asOfSeq, conflictingRequest, epoch, gaps. */
export const ERROR_BODY = record({
  error: record({ code: id, num: integer, message: text, details: mayBeAbsent(object) }),
});
