/**
 * @module
 * A signed write once its signature has been checked: what the log executes and what a receipt remembers.
 */
import type { Address, CanonicalCommand, MainWalletOperation } from '../../domain/index.ts';
import type { ItemOutcome } from '../engine/index.ts';

/** Anything that can be signed and executed here. */
export type Operation = CanonicalCommand | MainWalletOperation;

/** A write whose signature recovers to `signer`. */
export interface VerifiedRequest {
  readonly requestId: string;
  readonly signer: Address;
  /** Signed by an API wallet, as AgentExec. */
  readonly isAgent: boolean;
  readonly nonce: bigint;
  /** `operation.account` is the account acted for. */
  readonly operation: Operation;
  /** Labels of the placements, by input index; missing: none. */
  readonly clientOrderIds: readonly (string | undefined)[];
}

/** What a vault operation did. Shares are in millionths, the amount in quantums. */
export interface VaultEffect {
  readonly vault: number;
  readonly shares?: bigint;
  readonly amount?: bigint;
}

/** Outcome of a request (exchange.md#write-answers, exchange.md#receipts). */
export interface Receipt {
  readonly request: VerifiedRequest;
  readonly scope: string;
  readonly seq: number;
  readonly sub: number;
  readonly status: 'executed' | 'rejected';
  readonly nonceConsumed: boolean;
  readonly reason: string | undefined;
  readonly batchStatus: 'ok' | 'partial' | 'none' | undefined;
  readonly items: readonly ItemOutcome[];
  /** Of a vault operation that was executed. */
  readonly vault?: VaultEffect | undefined;
}
