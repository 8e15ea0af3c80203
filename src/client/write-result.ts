/** @module What a write that was executed hands back. */
import type { VaultEffect, WriteItem } from './shapes.ts';

/** The proven outcome of an executed write. Items of a batch fail separately: check each of them. */
export interface WriteResult {
  /** Known before anything was sent: keccak256 of signer and digest. */
  readonly requestId: string;
  /** The commit position: reads with `minSeq` of it include this write. */
  readonly seq: bigint | undefined;
  /** The life of the ledger it was executed in. */
  readonly epoch: string | undefined;
  /** Outcome of each item: `accepted`, `canceled` or `rejected` with a reason. */
  readonly items: readonly WriteItem[];
  /** Of a vault operation: the vault, shares minted or burned, USDC paid in or taken out. */
  readonly vault?: VaultEffect | undefined;
  /** What proves it: the answer itself, or the receipt that was asked for afterwards. */
  readonly proof: 'answer' | 'receipt';
}
