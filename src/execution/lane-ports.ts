/** @module What a lane works with, and where it stands. */
import type { Clock, Log, Random, UnixMs } from '../core/index.ts';
import type { FactSink } from '../domain/index.ts';
import type { WriteEnd } from './flight.ts';
import type { WriteJournal, WritePipe } from './ports.ts';

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
  serverNowMs(): UnixMs;
  /** The current epoch of the ledger; empty: not known. */
  epoch(): string;
  /** An answer was made in another epoch. False when that one is past: a replica is behind, and says nothing of now. */
  onEpoch(epoch: string): boolean;
  lastTriggerAtMs(): UnixMs | undefined;
  /** A schedule-cancel has executed, at this log position if it was said. */
  onTrigger(triggerAtMs: UnixMs | 0, seq: bigint | undefined): void;
  /** The log position of an answered write. */
  onSeq(seq: bigint): void;
  /** The lane can take the next write, unless it has halted. */
  onIdle(): void;
  /** An assertion failed: the run must stop. */
  onBug(error: unknown): void;
}

/** How a write is sent. */
export interface SendOptions {
  /** `x-svc-min-seq` (obligation O50). */
  readonly minSeq?: bigint | undefined;
  /** Told once how it ended. */
  readonly onEnd?: (end: WriteEnd) => void;
}
