/** @module What a lane works with, and where it stands. */
import type { Clock, Log, Random, UnixMs } from '../../core/index.ts';
import type { FactSink, LaneCommand } from '../../domain/index.ts';
import type { WriteEnd, WriteTarget } from './flight.ts';
import type { OutcomeRecord, WriteJournal, WritePipe } from './ports.ts';

/** Where a lane stands. */
export type LaneState =
  | 'starting'
  | 'idle'
  | 'signed'
  | 'inflight'
  | 'waiting'
  | 'resolving'
  | 'fencing'
  | 'settling'
  | 'halted';

/** What a lane works with. */
export interface LanePorts {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly pipe: WritePipe;
  readonly journal: WriteJournal;
  readonly sink: FactSink;
  /** Hears of every end as the journal does: of a refused request again, once its nonce is spent. */
  readonly onOutcome?: ((outcome: OutcomeRecord) => void) | undefined;
  serverNowMs(): UnixMs;
  /** The current epoch of the ledger; empty: not known. */
  epoch(): string;
  /**
   * An answer was made in another epoch, at this position of it. `signedIn`: it answers a write that was signed in that
   * epoch, which no replica does. False when it is past: a replica is behind.
   */
  onEpoch(epoch: string, seq?: bigint, signedIn?: string): boolean;
  lastTriggerAtMs(): UnixMs | undefined;
  /** The harmless write that spends an open nonce, where it is not the switch as it stands. */
  readonly fence?: (serverNowMs: UnixMs) => LaneCommand;
  /** A schedule-cancel has executed, at this log position if it was said. */
  onTrigger(triggerAtMs: UnixMs | 0, seq: bigint | undefined): void;
  /** A nonce of the lane was used in the current epoch, at this log position if it was said. */
  onUsed(seq: bigint | undefined): void;
  /** The lane can take the next write, unless it has halted. */
  onIdle(): void;
  /** An assertion failed: the run must stop. */
  onBug(error: unknown): void;
}

/** How a write is sent. */
export interface SendOptions {
  /** Another account than the lane's own. */
  readonly target?: WriteTarget | undefined;
  /** `x-svc-min-seq` (obligation O50). */
  readonly minSeq?: bigint | undefined;
  /** Told once how it ended. */
  readonly onEnd?: (end: WriteEnd) => void;
}
