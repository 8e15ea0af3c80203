/**
 * @module
 * Execution as a whole: lanes, safety lane and switch, which implement the venue port. Commands go in, facts come out, in
 * order and synchronously. It opens only when what a previous run left behind is resolved, takes orders only while the switch
 * is armed, and ends with the proof that no order is open.
 */
import type { Clock, Log, Random, UnixMs } from '../../core/index.ts';
import { assert, messageOf, must, untilDeadline } from '../../core/index.ts';
import {
  type AccountSelection,
  type Approved,
  type FactSink,
  type LaneId,
  placesOf,
  type RoutedCommand,
  type SafetyCommand,
  type TradingCommand,
} from '../../domain/index.ts';
import type { WriteContext } from '../../wire/protocol/index.ts';
import { DeadMansSwitch, SWITCH_SETTINGS, type SwitchSettings } from './dead-mans-switch.ts';
import { Epochs } from './epochs.ts';
import { fenceCommand } from './fence.ts';
import { FiringWatch } from './firing-watch.ts';
import { Lane } from './lane.ts';
import { LaneSupervisor } from './lane-supervisor.ts';
import { LogPosition } from './log-position.ts';
import type { OpenOrdersPorts, OpenOrdersProof } from './open-orders-proof.ts';
import { hasNoOpenOrders, proveNoOpenOrders } from './open-orders-proof.ts';
import {
  type CommandSigner,
  type LanePorts,
  TIMEOUTS,
  type Timeouts,
  type WriteJournal,
  type WritePipe,
} from './ports.ts';
import type { Executor, LaneStart, LaneStatus, StartReport } from './reports.ts';
import { SafetyLane } from './safety-lane.ts';
import { GRANT_INVALID } from './settlement.ts';
import { readAccountStart, readScope, type StartPorts, scopeOf, unresolvedAtStart } from './start.ts';
import { mustConsumeFirstNonce, openWritesOf, startOf } from './startup-check.ts';

/** A switch that is left to fire has canceled all, and that can be read, this long after its trigger. */
const FIRED_MS = 2000;
/** An order is not sent when the switch would fire within this. */
const ARMED_MS_MIN = 1000;
/** Open orders are read for this long, ms, before a pending cancel-all is asked for again. */
const READ_MS_MAX = 1000;

/** One lane: one API wallet. */
export interface LaneSettings {
  readonly id: LaneId;
  readonly signer: CommandSigner;
  /** The wallet was approved (again) since the last run: the first nonce is consumed on a harmless write (obligation O122). */
  readonly consumeFirstNonce?: boolean;
  /** Position of the approval's receipt, for the first write (obligation O50). */
  readonly firstMinSeq?: bigint;
}

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
  /** An answer reported another ledger before the streams did. */
  readonly onEpoch?: (epoch: string) => void;
  /** A broken assertion; without it it is thrown in its own turn and ends the process. */
  readonly onBug?: (error: unknown) => void;
}

/** Builds an executor. It sends nothing before {@link Executor.start}. */
export function createExecutor(options: ExecutorOptions): Executor {
  return new LaneExecutor(options);
}

class LaneExecutor implements Executor {
  readonly expect = (): void => this.#options.journal.expectWrite();
  readonly #options: ExecutorOptions;
  readonly #timeouts: Timeouts;
  readonly #lanes: ReadonlyMap<LaneId, Lane>;
  readonly #safety: SafetyLane;
  readonly #switch: DeadMansSwitch;
  readonly #supervisor: LaneSupervisor;
  readonly #firing: FiringWatch;
  readonly #epochs = new Epochs();
  /** The epoch in which a lane's nonce was asked for or used last. */
  readonly #nonceEpochs = new Map<Lane, string>();
  readonly #position: LogPosition;
  #isOpenReported = false;
  #phase: 'new' | 'open' | 'stopping' | 'disposed' = 'new';
  #proof: Promise<OpenOrdersProof> | undefined;

  constructor(options: ExecutorOptions) {
    this.#options = options;
    this.#timeouts = { ...TIMEOUTS, ...options.timeouts };
    this.#position = new LogPosition(options);
    const lanes = options.lanes.map((settings) => this.#makeLane(settings));
    this.#lanes = new Map(lanes.map((lane) => [lane.id, lane]));
    assert(new Set(lanes.map(({ scope }) => scope)).size === lanes.length, 'one lane for each API wallet');
    const own = must(this.#lanes.get(options.safetyLane), `the safety lane ${options.safetyLane}`);
    const { clock, log } = options;
    const serverNowMs = (): UnixMs => options.serverNowMs();
    const health = () => [...options.health(), ...this.#supervisor.reasons()];
    this.#safety = new SafetyLane(own, lanes, {
      ...{ clock, log, serverNowMs },
      onCanceledAll: () => {
        this.beat();
        this.#announceAll();
      },
      isHealthy: () => health().length === 0,
      lastTriggerAtMs: () => this.#lastTriggerAtMs(),
      hasNoOpenOrders: () => hasNoOpenOrders(this.#openOrdersPorts(), clock.monotonicMs() + READ_MS_MAX),
      onBug: (error) => this.#onBug(error),
    });
    const onRed = () => (this.#switch.isHeld ? undefined : this.beat());
    this.#supervisor = new LaneSupervisor({ lanes, safety: this.#safety, clock, onRed });
    this.#firing = new FiringWatch({
      ...{ clock, isBusy: () => lanes.some((lane) => lane.haltCode === undefined && hasSent(lane)) },
      onFired: (seq) => this.#switch.takenAt(seq),
      onDoubted: (seq) => this.#switch.doubtedAt(seq),
      onCleared: () => this.#announceAll(),
    });
    this.#switch = new DeadMansSwitch(
      {
        clock,
        log,
        sink: options.sink,
        serverNowMs,
        health,
        send: (command, onEnd) => this.#safety.submit(command, onEnd),
        withdraw: () => this.#safety.withdrawRenewal(),
        keepTrigger: (triggerAtMs) => this.#keepTrigger(triggerAtMs),
        onArmed: () => this.#firing.noteArmed(),
      },
      { ...SWITCH_SETTINGS, ...options.switch },
    );
  }

  reportOpen(): void {
    if (this.#isOpenReported) return;
    this.#isOpenReported = true;
    for (const lane of this.#lanes.values()) lane.reportOpen(openWritesOf(this.#options.journal, lane.scope));
  }

  async start(): Promise<StartReport> {
    assert(this.#phase === 'new', `an executor that was not started, got ${this.#phase}`);
    this.reportOpen();
    const { clock, journal } = this.#options;
    const ports: StartPorts = { ...this.#options, timeoutMs: this.#timeouts.startMs };
    const account = await readAccountStart(ports);
    const left = journal.openWrites().map(({ epoch }) => epoch);
    const isCurrent = this.#epochs.begin({ listed: account.epoch, books: journal.cursors()?.epoch, left });
    if (account.seq !== undefined && isCurrent) {
      this.#firing.noteOwn(account.seq);
      this.#position.begin(account.seq);
    }
    if (account.count > 0) this.#switch.noteOrders();
    const opening = Promise.all(this.#options.lanes.map((settings) => this.#openLane(ports, settings)));
    const lanes = await untilDeadline(clock, clock.monotonicMs() + this.#timeouts.startMs, opening);
    if (lanes === undefined) {
      this.dispose();
      throw unresolvedAtStart(this.unresolved(), this.#timeouts.startMs);
    }
    this.#phase = 'open';
    this.#supervisor.start();
    // Where the journal lost writes of one lane, it may have lost one of every other that did not execute yet.
    const isWhole = lanes.every(({ journal }) => journal === 'current');
    const burning = this.#options.lanes.map((settings, at) => {
      const opened = must(lanes[at], 'a lane that was opened');
      return mustConsumeFirstNonce(settings, opened) || !isWhole
        ? this.#consumeFirstNonce(opened)
        : undefined;
    });
    await Promise.all(burning);
    this.#switch.start();
    return { epoch: this.#epochs.current, openOrders: account.count, lanes };
  }

  stop(): Promise<OpenOrdersProof> {
    this.#proof ??= this.#prove();
    return this.#proof;
  }

  async #prove(): Promise<OpenOrdersProof> {
    assert(this.#phase === 'open', `an executor that is open, got ${this.#phase}`);
    this.#phase = 'stopping';
    const armedUntilMs = this.#switch.armedUntilMs ?? 0;
    this.#switch.stop();
    const proof = await proveNoOpenOrders({
      ...this.#openOrdersPorts(),
      random: this.#options.random,
      timeoutMs: Math.max(this.#timeouts.stopMs, armedUntilMs - this.#options.serverNowMs() + FIRED_MS),
      cancelAll: () => new Promise((resolve) => this.#safety.submit({ kind: 'cancelAll' }, resolve)),
      cancel: (orders) => this.#safety.submit({ kind: 'cancel', orders }),
      lostLanes: () => this.#safety.lostLanes(),
    });
    this.dispose();
    return proof;
  }

  #openOrdersPorts(): OpenOrdersPorts {
    const lanes = [...this.#lanes.values()];
    return {
      clock: this.#options.clock,
      pipe: this.#options.pipe,
      // What a wallet without a grant has signed cannot execute; a start after a new grant resolves it first (O34).
      hasOpenBytes: () => lanes.some((lane) => lane.hasOpenBytes && lane.haltCode !== GRANT_INVALID),
      position: this.#position,
    };
  }

  dispose(): void {
    this.#phase = 'disposed';
    this.#switch.stop();
    this.#safety.stop();
    this.#supervisor.stop();
    this.#position.stop();
    for (const lane of this.#lanes.values()) lane.dispose();
  }

  isReady(id: LaneId): boolean {
    const lane = this.#laneOf(id);
    if (this.#phase !== 'open' || lane.state !== 'idle') return false;
    if (this.#safety.isCancelAllPending || (this.#safety.hasWork && id === this.#safety.id)) return false;
    return this.isArmed(ARMED_MS_MIN);
  }

  submit(routed: Approved<RoutedCommand<TradingCommand>>): void {
    const { lane, command } = routed;
    assert(this.isReady(lane), `lane ${lane} to be ready, got ${this.#laneOf(lane).state}`);
    if (placesOf(command).length > 0) this.#switch.noteOrders();
    this.#laneOf(lane).send(command);
  }

  submitSafety(command: SafetyCommand): void {
    // Before the start is over it waits for a lane: a monitor may want everything canceled while nonces are looked for.
    if (this.#phase !== 'disposed') this.#safety.submit(command);
  }

  unresolved(): number {
    return [...this.#lanes.values()].reduce((sum, lane) => sum + lane.unresolved, 0);
  }

  lanes(): readonly LaneStatus[] {
    return Array.from(this.#lanes.values(), (lane) => ({
      ...{ lane: lane.id, scope: lane.scope, state: lane.state, nonce: lane.nonce },
      ...{ haltCode: lane.haltCode, busyMs: lane.busyMs(), unresolved: lane.unresolved },
    }));
  }

  isArmed(remainingMsMin: number): boolean {
    return !this.#firing.isInDoubt && this.#switch.isArmed(remainingMsMin);
  }

  onSynced(seq: bigint, epoch: string | undefined): void {
    if (this.#phase === 'new' && epoch !== undefined) this.#epochs.take(epoch);
    if (epoch === undefined || epoch === this.#epochs.current) this.#position.synced(seq);
    if (this.#phase !== 'open') return;
    this.#switch.distrust(seq);
    this.beat();
  }

  beat(): void {
    if (this.#phase === 'open') this.#switch.beat();
  }

  onEpoch(epoch: string, seq?: bigint, signedIn?: string): boolean {
    const before = this.#epochs.current;
    const kind = this.#epochs.take(epoch, signedIn);
    if (kind === 'past') return false;
    if (kind === 'same') {
      this.#position.take(seq);
      return true;
    }
    this.#options.log.warn('epoch of the ledger', { before, epoch });
    if (kind === 'first') return true;
    this.#position.beginEpoch();
    this.#position.take(seq);
    this.#firing.beginEpoch();
    this.#switch.beginEpoch();
    this.#options.onEpoch?.(epoch);
    for (const lane of this.#lanes.values()) this.#followEpoch(lane);
    return true;
  }

  noteCanceled(seq: bigint, isCertain: boolean): void {
    if (this.#phase === 'open') this.#firing.noteCanceled(seq, isCertain);
  }

  noteGone(seq: bigint): void {
    if (this.#phase === 'open') this.#firing.noteGone(seq);
  }

  #makeLane({ id, signer, firstMinSeq }: LaneSettings): Lane {
    const { context, account } = this.#options;
    const timeoutMs = this.#timeouts.answerMs;
    const scope = scopeOf(signer);
    const lane: Lane = new Lane(
      { lane: id, scope, signer, context, account, timeoutMs, firstMinSeq },
      {
        ...this.#lanePorts(),
        onUsed: (seq) => {
          this.#nonceEpochs.set(lane, this.#epochs.current);
          if (seq !== undefined) this.#firing.noteOwn(seq);
        },
        onIdle: () => this.#onIdle(lane),
      },
    );
    return lane;
  }

  #lanePorts(): Omit<LanePorts, 'onUsed' | 'onIdle'> {
    const { clock, random, log, pipe, journal, sink } = this.#options;
    return {
      ...{ clock, random, log, pipe, journal, sink, position: this.#position },
      serverNowMs: () => this.#options.serverNowMs(),
      epoch: () => this.#epochs.current,
      onEpoch: (epoch, seq, signedIn) => this.onEpoch(epoch, seq, signedIn),
      lastTriggerAtMs: () => this.#lastTriggerAtMs(),
      mayPlace: () => this.isArmed(ARMED_MS_MIN),
      untilSettled: () => this.#firing.untilSettled(),
      onTrigger: (triggerAtMs, seq) => this.#switch.confirmed(triggerAtMs, seq),
      onBug: (error) => this.#onBug(error),
    };
  }

  /** Resolves what is open in the scope and finds the nonce of the first new write. */
  async #openLane(ports: StartPorts, settings: LaneSettings): Promise<LaneStart> {
    const { journal, log } = this.#options;
    const lane = this.#laneOf(settings.id);
    const open = openWritesOf(journal, lane.scope);
    await readScope(ports, settings.signer);
    await lane.recover(open);
    const { nonce: next } = await readScope(ports, settings.signer);
    const point = startOf(lane, journal, { next, epoch: this.#epochs.current });
    if (point.journal !== 'current') {
      const written = String(journal.highestNonce(lane.scope));
      const facts = { lane: lane.id, scope: lane.scope, next: String(next), written };
      log.warn(`journal ${point.journal}: the scope was used by writes it does not know`, facts);
    }
    this.#nonceEpochs.set(lane, this.#epochs.current);
    const found = { lane: lane.id, nonce: point.nonce, journal: point.journal, recovered: open.length };
    // A lane that has a nonce to burn is free for nothing else before that; another takes at once what is urgent.
    if (!mustConsumeFirstNonce(settings, found)) lane.begin(point.nonce);
    if (lane.id === this.#safety.id && lane.state === 'idle') this.#safety.pump();
    return found;
  }

  /**
   * Uses up the first nonce with a harmless write (obligation O122): after an approval, and when the journal does not know
   * all writes, signed bytes for that nonce may exist that no journal holds. As little a renewal of the
   * switch as a fence: the health was not evaluated yet (invariant I12).
   */
  async #consumeFirstNonce(opened: LaneStart): Promise<void> {
    const lane = this.#laneOf(opened.lane);
    if (lane.state === 'starting') lane.begin(opened.nonce);
    if (lane.state !== 'idle') return;
    const { serverNowMs, journal } = this.#options;
    const harmless = fenceCommand(serverNowMs(), journal.lastTriggerAtMs());
    await new Promise<void>((resolve) => void lane.send(harmless, { onEnd: () => resolve() }));
  }

  #onIdle(lane: Lane): void {
    if (this.#phase !== 'open' && this.#phase !== 'stopping') return;
    this.#firing.settle();
    this.#followEpoch(lane);
    this.#safety.pump();
    this.#announce(lane);
  }

  /** Counters of a ledger that was restarted may be others: a free lane asks for its nonce before it signs again. */
  #followEpoch(lane: Lane): void {
    const isDue = this.#phase === 'open' || this.#phase === 'stopping';
    if (!isDue || lane.state !== 'idle' || lane.hasOpenBytes) return;
    const epoch = this.#epochs.current;
    if (this.#nonceEpochs.get(lane) === epoch) return;
    this.#nonceEpochs.set(lane, epoch);
    lane.suspend();
    // Nothing is open: a gateway that cannot be reached for long is no reason to give the lane up.
    const isOver = () => this.#phase === 'disposed';
    const ports = { ...this.#options, timeoutMs: Number.POSITIVE_INFINITY, isOver };
    readScope(ports, lane.signer, () => this.#position.newest)
      .then(
        ({ nonce }) => {
          lane.begin(nonce);
          this.#onIdle(lane);
        },
        (error: unknown) => {
          if (!isOver()) lane.halt({ code: 'EXECUTION_SCOPE_LOST', reason: messageOf(error) });
        },
      )
      .catch((error: unknown) => this.#onBug(error));
  }

  #announceAll(): void {
    for (const lane of this.#lanes.values()) this.#announce(lane);
  }

  /** The safety lane of two wallets takes no trading commands and is not announced. */
  #announce(lane: Lane): void {
    const isTrading = lane.id !== this.#safety.id || this.#lanes.size === 1;
    if (isTrading && this.isReady(lane.id)) this.#options.sink({ type: 'LaneReady', lane: lane.id });
  }

  #lastTriggerAtMs(): UnixMs | undefined {
    return this.#switch.armedUntilMs ?? this.#options.journal.lastTriggerAtMs();
  }

  #keepTrigger(triggerAtMs: UnixMs): void {
    const { journal, log } = this.#options;
    journal.recordTrigger(triggerAtMs).catch((error: unknown) => {
      log.error('trigger not kept', { triggerAtMs, error: String(error) });
    });
  }

  #laneOf(id: LaneId): Lane {
    return must(this.#lanes.get(id), `lane ${id}`);
  }

  #onBug(error: unknown): void {
    const { onBug, log, clock } = this.#options;
    log.error('execution stopped by a bug', { error: String(error) });
    if (onBug !== undefined) onBug(error);
    else
      clock.soon(() => {
        throw error;
      });
  }
}

/** False of a lane without a write, and of one whose write has not left: it has canceled nothing. */
const hasSent = ({ state }: Lane): boolean => state !== 'idle' && state !== 'signed';
