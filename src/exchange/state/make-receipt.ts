/** @module Makes the receipt of a request out of the outcome of it. */
import type { CommandOutcome, LogPosition } from '../engine/index.ts';
import type { ExchangeEvent } from './event.ts';
import type { Receipt, VaultEffect, VerifiedRequest } from './request.ts';

/** Outcome of an operation, of the venue or of a vault. */
export type Outcome = Omit<CommandOutcome, 'events'> & {
  /** Events of the entry, in log order. */
  readonly events: readonly ExchangeEvent[];
  /** Effect of a vault operation; absent: it was none. */
  readonly vault?: VaultEffect;
};

/** The receipt of a request. `isNonceConsumed`: false when it was refused before its nonce. */
export function makeReceipt(
  parts: {
    readonly request: VerifiedRequest;
    readonly scope: string;
    readonly outcome: Outcome;
    readonly isNonceConsumed: boolean;
  },
  at: LogPosition,
): Receipt {
  const { request, scope, outcome, isNonceConsumed } = parts;
  return {
    request,
    scope,
    seq: at.seq,
    sub: at.sub,
    status: outcome.status,
    nonceConsumed: isNonceConsumed,
    reason: outcome.reason,
    batchStatus: outcome.batchStatus,
    items: outcome.items,
    vault: outcome.vault,
  };
}
