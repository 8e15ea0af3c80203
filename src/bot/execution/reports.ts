/** @module What execution can be asked for, and what it reports: the state of its lanes, and what it found at its start. */
import type { LaneId, Nonce, VenuePort } from '../../domain/index.ts';
import type { OpenOrdersProof } from './open-orders-proof.ts';
import type { JournalPosition } from './startup-check.ts';

/** State of a lane. */
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

/** State of a lane. */
export interface LaneStatus {
  readonly lane: LaneId;
  /** The nonce scope: the exchange's counter of one API wallet. */
  readonly scope: string;
  readonly state: LaneState;
  /** The next nonce. */
  readonly nonce: bigint;
  /** Of a halted lane. */
  readonly haltCode: string | undefined;
  /** For how long its write has been without a proven end, in ms; 0 when there is none. */
  readonly busyMs: number;
  /** Number of writes whose outcome is not known. */
  readonly unresolved: number;
}

/** How a lane was found at the start. */
export interface LaneStart {
  readonly lane: LaneId;
  /** Of the first new write. */
  readonly nonce: Nonce;
  readonly journal: JournalPosition;
  /** Writes of a previous run that had to be resolved. */
  readonly recovered: number;
}

/** What was found at the start. */
export interface StartReport {
  /** Epoch of the ledger: one run of the exchange's log. */
  readonly epoch: string;
  /** Orders open before the first write of this run. */
  readonly openOrders: number;
  readonly lanes: readonly LaneStart[];
}

/** The venue port of live trading and of the simulation. */
export interface Executor extends VenuePort {
  /**
   * Reports what a previous run left open, before anything of the account is read: whose a fill is that comes before the
   * outcome of its write is known once that is. {@link start} does it where it was not done.
   */
  reportOpen(): void;
  /** Resolves open writes, checks scopes and nonces against the journal, arms the switch. @throws ConfigError, GatewayError */
  start(): Promise<StartReport>;
  /** Takes no more orders, cancels all and proves that no order is open; once. The switch stays armed. */
  stop(): Promise<OpenOrdersProof>;
  /** Ends everything at once, as a crash would: nothing is sent any more. */
  dispose(): void;
  /** Writes without a proven end. */
  unresolved(): number;
  /** The state of each lane. */
  lanes(): readonly LaneStatus[];
  /** True while the switch is confirmed for at least `remainingMsMin` more. */
  isArmed(remainingMsMin: number): boolean;
  /** Evaluates the health now instead of at the next heartbeat: for the moment it turns red. */
  beat(): void;
  /**
   * The account is synced at `seq`: after a gap the exchange may have been started again, without the switch (ambiguity
   * A14). What was confirmed before counts no more, and it is armed again. Before the start it reports which ledger runs.
   */
  onSynced(seq: bigint, epoch: string | undefined): void;
  /** The stream reports the ledger's epoch, at this position of it. False for one that is past: a ledger that is gone does not come back. */
  onEpoch(epoch: string, seq?: bigint): boolean;
  /** The stream reports an order of the account that was canceled at `seq`: unless a write of ours did it, the switch has fired (obligation O79). */
  noteCanceled(seq: bigint, isCertain: boolean): void;
  /** A snapshot at `seq` lacks an order whose end was not told: the switch may have fired by then, and is armed again. */
  noteGone(seq: bigint): void;
}
