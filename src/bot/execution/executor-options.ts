/** @module What an executor is built from. `app` joins gateway, journal and runtime here. */
import type { Clock, Log, Random, UnixMs } from '../../core/index.ts';
import type { AccountSelection, FactSink, LaneId } from '../../domain/index.ts';
import type { WriteContext } from '../../wire/protocol/index.ts';
import type { SwitchSettings } from './dead-mans-switch.ts';
import type { CommandSigner, WriteJournal, WritePipe } from './ports.ts';

/** One lane: one API wallet. */
export interface LaneSettings {
  readonly id: LaneId;
  readonly signer: CommandSigner;
  /** The wallet was approved (again) since the last run: the first nonce is spent on a harmless write (obligation O122). */
  readonly burnFirst?: boolean;
  /** Position of the approval's receipt, for the first write (obligation O50). */
  readonly firstMinSeq?: bigint;
}

/** How long things may take, in ms. */
export interface Timeouts {
  /** An answer to a write. */
  readonly answerMs: number;
  /** A read at the start, with all its repetitions. */
  readonly startMs: number;
  /** The proof of an empty book at the end; longer while the switch has yet to fire. */
  readonly stopMs: number;
}

/** The defaults of {@link Timeouts}. */
export const TIMEOUTS: Timeouts = { answerMs: 5000, startMs: 60_000, stopMs: 10_000 };

/** What an executor is built from. */
export interface ExecutorOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly pipe: WritePipe;
  readonly journal: WriteJournal;
  /** Takes every write fact, synchronously. */
  readonly sink: FactSink;
  readonly context: WriteContext;
  /** The main wallet's account. */
  readonly account: AccountSelection;
  /** One for each API wallet. */
  readonly lanes: readonly LaneSettings[];
  /** The lane of safety writes; with a single wallet the only lane there is. */
  readonly safetyLane: LaneId;
  /** The exchange's time. */
  serverNowMs(): UnixMs;
  /** Why the health is red outside of execution (dead-mans-switch.md); empty: all green. */
  health(): readonly string[];
  readonly switch?: Partial<SwitchSettings>;
  readonly timeouts?: Partial<Timeouts>;
  /** An answer told of another ledger before the streams did. */
  readonly onEpoch?: (epoch: string) => void;
  /** A broken assertion; without it it is thrown in a turn of its own and ends the process. */
  readonly onBug?: (error: unknown) => void;
}
