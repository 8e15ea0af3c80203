/** @module Makes the receipt of a request out of what became of it. */
import type { CommandOutcome, LogPosition } from '../../venue/index.ts';
import type { ExchangeEvent } from './event.ts';
import type { Receipt, VaultEffect, VerifiedRequest } from './request.ts';

/** What became of an operation, of the venue or of a vault. */
export type Outcome = Omit<CommandOutcome, 'events'> & {
  readonly events: readonly ExchangeEvent[];
  readonly vault?: VaultEffect;
};

/** The receipt of a request that was refused before its nonce. */
export function refusedReceipt(
  { request, scope, reason }: { request: VerifiedRequest; scope: string; reason: string },
  at: LogPosition,
): Receipt {
  return {
    request,
    scope,
    seq: at.seq,
    sub: at.sub,
    status: 'rejected',
    nonceConsumed: false,
    reason,
    batchStatus: undefined,
    items: [],
    vault: undefined,
  };
}

/** The receipt of a request that spent its nonce. */
export function finalReceipt(
  { request, scope, outcome }: { request: VerifiedRequest; scope: string; outcome: Outcome },
  at: LogPosition,
): Receipt {
  return {
    request,
    scope,
    seq: at.seq,
    sub: at.sub,
    status: outcome.status,
    nonceConsumed: true,
    reason: outcome.reason,
    batchStatus: outcome.batchStatus,
    items: outcome.items,
    vault: outcome.vault,
  };
}
