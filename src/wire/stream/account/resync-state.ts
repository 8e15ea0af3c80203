/** @module What can be seen of an account's streams from outside, and how much they may hold back. */
import type { Seq } from '../../../domain/index.ts';

/** What can be seen of an account's streams. */
export interface AccountState {
  /** True while the account's state is complete. */
  readonly isSynced: boolean;
  /** Why not; `undefined` while synced. */
  readonly reason: string | undefined;
  /** The highest log position seen on the account's channels. */
  readonly seq: Seq | undefined;
  /** The ledger that the shown facts belong to. */
  readonly epoch: string | undefined;
  /** For how long history has been read without an end, 0 when it is not. */
  readonly backfillMs: number;
  /** True if positions and fills agree. */
  readonly isAuditClean: boolean;
  /** Frames that wait for the join, of {@link BUFFERED_MAX}. */
  readonly bufferedFrames: number;
}

/** Frames that wait at most (reconciliation.md). */
export const BUFFERED_MAX = 10_000;
