/** @module What writes and receipts answer. */
import {
  choice,
  decimal,
  flag,
  id,
  integer,
  list,
  optional,
  position,
  type Read,
  record,
  text,
} from '../shape.ts';

/** One item of a write. */
export const ITEM = record({
  inputIndex: integer,
  kind: text,
  symbol: optional(text),
  state: choice('accepted', 'canceled', 'rejected'),
  orderId: optional(id),
  clientOrderId: optional(text),
  reason: optional(text),
  size: optional(decimal),
  filledSize: optional(decimal),
  resting: optional(flag),
  canceledSize: optional(decimal),
});
/** What became of one item. Cancels and placements are numbered separately from 0, by `inputIndex`. */
export type WriteItem = Read<typeof ITEM>;

/** What a vault operation did. */
export const VAULT_EFFECT = record({ id: id, shares: optional(decimal), amount: optional(decimal) });
/** The vault, the shares minted or burned, the USDC paid in or taken out. */
export type VaultEffect = Read<typeof VAULT_EFFECT>;

/** 200 on a write, and of GET /v1/requests/{requestId}. */
export const OUTCOME = record({
  requestId: text,
  status: choice('sequenced', 'pending', 'executed', 'rejected'),
  epoch: optional(id),
  seq: optional(position),
  sub: optional(integer),
  signer: optional(text),
  nonceScope: optional(text),
  nonce: optional(position),
  nonceConsumed: optional(flag),
  batchStatus: optional(text),
  reason: optional(text),
  duplicate: optional(flag),
  items: optional(list(ITEM)),
  vault: optional(VAULT_EFFECT),
});
/** A receipt: `pending` is waited on; `rejected` is final only when `nonceConsumed` is true. */
export type Receipt = Read<typeof OUTCOME>;
