/** @module What a resync is made of, what can be seen of an account's streams from outside, and how much they may hold back. */
import type { Clock, Log, Metrics, Random } from '../../../core/index.ts';
import type { AccountSelection, FactSink, Seq } from '../../../domain/index.ts';
import type { DecodeContext, SubscriptionParams } from '../../protocol/index.ts';
import type { EffectJournal, HistoryReader } from '../ports.ts';
import type { OnUnfounded } from './effect-writer.ts';

/** What a resync does to its connection. */
export interface AccountLink {
  /** Closes the connection and opens a new one; `why` is logged. */
  reconnect(why: string): void;
  /** Subscribes again to get a snapshot. */
  resubscribe(params: SubscriptionParams): void;
}

/** What a resync is made of. */
export interface ResyncOptions {
  readonly selection: AccountSelection;
  readonly history: HistoryReader;
  readonly effects: EffectJournal;
  readonly markets: DecodeContext;
  readonly link: AccountLink;
  readonly clock: Clock;
  readonly random: Random;
  readonly sink: FactSink;
  readonly log: Log;
  readonly meter: Metrics;
  /** Entries that were booked are not of the exchange's history: the books of this run are wrong. Once. */
  readonly onUnfounded?: OnUnfounded | undefined;
}

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
