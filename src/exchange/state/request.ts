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
  /** Id of the request. */
  readonly requestId: string;
  /** Address that signed. */
  readonly signer: Address;
  /** Signed by an API wallet, as AgentExec. */
  readonly isAgent: boolean;
  /** Nonce of the request. */
  readonly nonce: bigint;
  /** `operation.account` is the account acted for. */
  readonly operation: Operation;
  /** Labels of the placements, by input index; missing: none. */
  readonly clientOrderIds: readonly (string | undefined)[];
}

/** What a vault operation did. Shares are in millionths, the amount in quantums. */
export interface VaultEffect {
  /** Id of the vault. */
  readonly vault: number;
  /** Shares minted or burned; absent: none. */
  readonly shares?: bigint;
  /** Amount in quantums; absent: the operation moved none. */
  readonly amount?: bigint;
}

/** Outcome of a request (exchange.md#write-answers, exchange.md#receipts). */
export interface Receipt {
  /** The signed request. */
  readonly request: VerifiedRequest;
  /** Nonce scope of the request. */
  readonly scope: string;
  /** Position of the log entry, from 1. */
  readonly seq: number;
  /** Number of the request within the log entry. */
  readonly sub: number;
  /** Executed, or rejected as a whole. */
  readonly status: 'executed' | 'rejected';
  /** True if the request used up its nonce. */
  readonly nonceConsumed: boolean;
  /** Reason name of a rejection; `undefined`: executed. */
  readonly reason: string | undefined;
  /** Whether all, some or none of a batch's items were accepted; `undefined` for a single command. */
  readonly batchStatus: 'ok' | 'partial' | 'none' | undefined;
  /** Outcome of each item, in command order. */
  readonly items: readonly ItemOutcome[];
  /** Of a vault operation that was executed. */
  readonly vault?: VaultEffect | undefined;
}
