/**
 * @module
 * A single lane: for a client of people, whose writes are proven like those of a bot, without a switch and without a
 * safety lane. Opening it resolves what a previous run left open and finds the first nonce; a ledger that is restarted is
 * followed. Commands are sent one at a time; a caller with several makes them wait.
 */
import {
  type Clock,
  type Log,
  messageOf,
  type Random,
  type UnixMs,
  untilDeadline,
} from '../../core/index.ts';
import type { FactSink, LaneCommand, LaneId, Nonce, RequestId } from '../../domain/index.ts';
import { Epochs } from './epochs.ts';
import type { WriteTarget } from './in-flight-write.ts';
import { Lane, type SendOptions } from './lane.ts';
import { LogPosition } from './log-position.ts';
import {
  type CommandSigner,
  type OutcomeRecord,
  TIMEOUTS,
  type WriteJournal,
  type WritePipe,
} from './ports.ts';
import { readAccountStart, readScope, type StartPorts, unresolvedAtStart } from './start.ts';
import { openWritesOf, startOf } from './startup-check.ts';

/** The parts of a single lane. */
export interface SingleLaneOptions extends WriteTarget {
  readonly id: LaneId;
  /** The nonce scope, as the exchange named it for this signer. */
  readonly scope: string;
  readonly signer: CommandSigner;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly pipe: WritePipe;
  readonly journal: WriteJournal;
  /** Takes every write fact, synchronously. */
  readonly sink: FactSink;
  /** Hears of every end as the journal does: of a refused request again, once its nonce is consumed. */
  readonly onOutcome?: (outcome: OutcomeRecord) => void;
  /** Position of the receipt of a fresh grant, for the first write (obligation O50). */
  readonly firstMinSeq?: bigint | undefined;
  /** The exchange's time. */
  serverNowMs(): UnixMs;
  /** The harmless write that uses up an open nonce. */
  fence(serverNowMs: UnixMs): LaneCommand;
  /** The lane can take the next command. */
  onIdle(): void;
  /** An answer reported another ledger. */
  onEpoch(epoch: string): void;
  /** An assertion failed. */
  onBug(error: unknown): void;
}

/** What reads that include a lane's own writes are asked to be as new as. */
export type OwnPosition = Pick<LogPosition, 'newest' | 'isInDoubt'>;

/** A single lane. */
export interface SingleLane {
  /** Resolves open writes and reads the first nonce; once. @throws ConfigError, GatewayError as `Executor.start`. */
  open(): Promise<void>;
  /** True if it can take a command now. */
  readonly isReady: boolean;
  /** The ledger it writes in; empty: not known. */
  readonly epoch: string;
  /** Why it takes nothing any more. */
  readonly haltCode: string | undefined;
  /** True if it has halted with nothing under way: another one may replace it. */
  readonly isOver: boolean;
  /** How far the ledger has come by what this lane was answered. */
  readonly position: OwnPosition;
  /** Sends a command. @throws AssertionError unless it is ready. */
  send(command: LaneCommand, options?: SendOptions): RequestId;
  /** Ends all waits. What is open stays open in the journal. */
  dispose(): void;
}

/** Builds a single lane. It sends nothing before {@link SingleLane.open}. */
export function createSingleLane(options: SingleLaneOptions): SingleLane {
  return new OneLane(options);
}

class OneLane implements SingleLane {
  readonly #options: SingleLaneOptions;
  readonly #lane: Lane;
  readonly #start: StartPorts;
  readonly #epochs = new Epochs();
  /** The epoch in which the nonce was asked for or used last. */
  #nonceEpoch = '';
  readonly #position: LogPosition;
  readonly position: OwnPosition;
  #isDisposed = false;

  constructor(options: SingleLaneOptions) {
    const { clock, random, pipe, context, id, scope, signer, account, vault, firstMinSeq } = options;
    this.#options = options;
    this.#position = new LogPosition(options);
    this.position = this.#position;
    this.#start = { clock, random, pipe, context, timeoutMs: TIMEOUTS.startMs };
    this.#lane = new Lane(
      { lane: id, scope, signer, context, account, vault, firstMinSeq, timeoutMs: TIMEOUTS.answerMs },
      {
        ...options,
        epoch: () => this.#epochs.current,
        onEpoch: (epoch, seq, signedIn) => this.#onEpoch(epoch, seq, signedIn),
        lastTriggerAtMs: () => options.journal.lastTriggerAtMs(),
        onTrigger: (triggerAtMs) => {
          options.journal
            .recordTrigger(triggerAtMs as UnixMs)
            .catch((error: unknown) => options.onBug(error));
        },
        position: this.#position,
        onUsed: () => {
          this.#nonceEpoch = this.#epochs.current;
        },
        onIdle: () => this.#onIdle(),
      },
    );
  }

  get isReady(): boolean {
    return this.#lane.state === 'idle';
  }

  get haltCode(): string | undefined {
    return this.#lane.haltCode;
  }

  get epoch(): string {
    return this.#epochs.current;
  }

  get isOver(): boolean {
    return this.#lane.state === 'halted';
  }

  async open(): Promise<void> {
    const { clock, journal } = this.#options;
    const account = await readAccountStart(this.#start);
    this.#position.begin(account.seq);
    const left = journal.openWrites().map(({ epoch }) => epoch);
    this.#epochs.begin({ listed: account.epoch, books: journal.cursors()?.epoch, left });
    const begun = await untilDeadline(clock, clock.monotonicMs() + TIMEOUTS.startMs, this.#begin());
    if (begun !== undefined) return;
    this.dispose();
    throw unresolvedAtStart(this.#lane.unresolved, TIMEOUTS.startMs);
  }

  send(command: LaneCommand, options: SendOptions = {}): RequestId {
    return this.#lane.send(command, options);
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#position.stop();
    this.#lane.dispose();
  }

  /** Always a value: by it `untilDeadline` distinguishes its end from the deadline. */
  async #begin(): Promise<true> {
    const { journal, scope } = this.#options;
    const lane = this.#lane;
    const open = openWritesOf(journal, scope);
    lane.reportOpen(open);
    await lane.recover(open);
    const next = await this.#readNonce();
    lane.begin(startOf(lane, journal, { next, epoch: this.#epochs.current }).nonce);
    this.#nonceEpoch = this.#epochs.current;
    return true;
  }

  async #readNonce(): Promise<Nonce> {
    const { signer, scope } = this.#options;
    return (await readScope(this.#start, signer, () => this.#position.newest, scope)).nonce;
  }

  #onEpoch(epoch: string, seq: bigint | undefined, signedIn: string | undefined): boolean {
    const kind = this.#epochs.take(epoch, signedIn);
    if (kind === 'same') this.#position.take(seq);
    if (kind !== 'next') return kind !== 'past';
    this.#position.beginEpoch();
    this.#position.take(seq);
    this.#options.onEpoch(epoch);
    this.#followEpoch();
    return true;
  }

  #onIdle(): void {
    if (this.#isDisposed) return;
    this.#followEpoch();
    if (this.isReady) this.#options.onIdle();
  }

  /** Counters of a ledger that was restarted may be others: a free lane asks for its nonce before it signs again. */
  #followEpoch(): void {
    const lane = this.#lane;
    if (
      this.#isDisposed ||
      lane.state !== 'idle' ||
      lane.hasOpenBytes ||
      this.#nonceEpoch === this.#epochs.current
    )
      return;
    this.#nonceEpoch = this.#epochs.current;
    lane.suspend();
    this.#readNonce()
      .then(
        (nonce) => {
          lane.begin(nonce);
          this.#onIdle();
        },
        (error: unknown) => lane.halt({ code: 'EXECUTION_SCOPE_LOST', reason: messageOf(error) }),
      )
      .catch((error: unknown) => this.#options.onBug(error));
  }
}
