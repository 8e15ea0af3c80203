/** @module What execution tells of itself: how its lanes stand, and what it found at its start. */
import type { LaneId, Nonce } from '../../domain/index.ts';
import type { LaneState } from './lane-ports.ts';
import type { JournalStanding } from './startup-check.ts';

/** How a lane stands. */
export interface LaneStatus {
  readonly lane: LaneId;
  readonly scope: string;
  readonly state: LaneState;
  readonly nonce: bigint;
  /** Of a halted lane. */
  readonly haltCode: string | undefined;
  /** For how long its write has been without a proven end, in ms; 0 when there is none. */
  readonly busyMs: number;
  readonly unresolved: number;
}

/** How a lane was found at the start. */
export interface LaneStart {
  readonly lane: LaneId;
  /** Of the first new write. */
  readonly nonce: Nonce;
  readonly journal: JournalStanding;
  /** Writes of an earlier life that had to be resolved. */
  readonly recovered: number;
}

/** What was found at the start. */
export interface StartReport {
  readonly epoch: string;
  /** Orders open before the first write of this life. */
  readonly openOrders: number;
  readonly lanes: readonly LaneStart[];
}
