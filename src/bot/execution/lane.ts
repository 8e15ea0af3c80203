/**
 * @module
 * One lane: the ordered sender of one nonce scope. One unresolved write at a time; the record is durable before the
 * first byte leaves and is signed while it commits; the outcome of a write is proven before the lane moves to the next nonce.
 *
 *   idle ─▶ signed ─▶ inflight ─▶ settling ─▶ idle                 the answer decides
 *                        ├─▶ waiting ─▶ inflight                   412, 421, 429, nothing left: the same bytes again
 *                        └─▶ resolving ─▶ settling                 a receipt decides
 *                                └─▶ fencing ─▶ settling           a harmless write uses up the nonce
 *
 * All requests signed for the current nonce are its contenders: a write, the refused ones before it, fences. Exactly
 * one uses the nonce, and with it all are closed. What this does not do: choosing what to write.
 */
import { assert, messageOf, must } from '../../core/index.ts';
import {
  type LaneCommand,
  type LaneId,
  type Nonce,
  placesOf,
  RecentIds,
  type RequestId,
} from '../../domain/index.ts';
import { Backoff, Waits } from './backoff.ts';
import { classifyAnswer, type WriteClass } from './classify.ts';
import {
  askedAgain,
  endFor,
  hasItems,
  type InFlightWrite,
  isStale,
  type LaneWriter,
  newFlight,
  outgoingOf,
  recordedFlight,
  signFlight,
  type WriteEnd,
  type WriteTarget,
} from './in-flight-write.ts';
import type { LanePorts, NoAnswer, RawAnswer, WriteRecord } from './ports.ts';
import type { ReceiptVerdict } from './receipt-resolver.ts';
import type { LaneState } from './reports.ts';
import { type OpenNonce, Resolution, type ResolutionHost, type ResolutionTools } from './resolution.ts';
import { type HaltReason, Settlement } from './settlement.ts';
import { emitLeftOpen, emitSent, emitUnresolved } from './write-facts.ts';

/** A refused write without a next one is closed by a fence after this. */
const SHADOW_MS = 1000;
/** Closed requests that are remembered. */
const CLOSED_MAX = 1000;
/** Refusals in a row after which the lane stops: something is wrong that repetition does not heal. */
const REFUSALS_MAX = 10;
/** Answers about other requests, without one about ours between them, after which the gateway is not believed any more. */
const MISMATCHES_MAX = 3;

type Undecided = Extract<WriteClass, { kind: 'final' | 'conflict' | 'unknown' | 'mismatch' }>;

/** How a write is sent. */
export interface SendOptions {
  /** Another account than the lane's own. */
  readonly target?: WriteTarget | undefined;
  /** `x-svc-min-seq` (obligation O50). */
  readonly minSeq?: bigint | undefined;
  /** Reported once how it ended. */
  readonly onEnd?: (end: WriteEnd) => void;
}

/** One lane. */
export class Lane {
  readonly id: LaneId;
  readonly scope: string;
  readonly #writer: LaneWriter;
  readonly #ports: LanePorts;
  readonly #tools: ResolutionTools;
  readonly #host: ResolutionHost;
  readonly #waits: Waits;
  readonly #backoff: Backoff;
  readonly #settlement: Settlement;
  /** Requests of this lane that are closed. */
  readonly #closed = new RecentIds<string>(CLOSED_MAX);
  #state: LaneState = 'starting';
  /** True once the nonce of the next write is known. While writes of a previous run are resolved it is not. */
  #isBegun = false;
  #open: OpenNonce = { nonce: 0n as Nonce, contenders: [], epoch: '' };
  #busySinceMs: number | undefined;
  #haltCode: string | undefined;
  #mayFence = true;
  #mismatches = 0;
  #refusals = 0;
  /** Of the grant's receipt: sent until the first write has come through (obligation O50). */
  #firstMinSeq: bigint | undefined;

  constructor(writer: LaneWriter, ports: LanePorts) {
    this.id = writer.lane;
    this.scope = writer.scope;
    this.#writer = writer;
    this.#ports = ports;
    this.#firstMinSeq = writer.firstMinSeq;
    this.#waits = new Waits(ports.clock);
    this.#backoff = new Backoff(ports.random);
    this.#settlement = new Settlement({
      ...ports,
      onJournalFailure: (error) => this.halt({ code: 'EXECUTION_JOURNAL_FAILED', reason: messageOf(error) }),
    });
    this.#tools = { writer, ports, settlement: this.#settlement, waits: this.#waits, backoff: this.#backoff };
    this.#host = this.#makeHost();
  }

  get state(): LaneState {
    return this.#state;
  }

  /** Why nothing is sent any more; `undefined` while it is. */
  get haltCode(): string | undefined {
    return this.#haltCode;
  }

  /** The nonce of the next write, or of the one under way. */
  get nonce(): Nonce {
    return this.#open.nonce;
  }

  /** Who signs here. */
  get signer(): LaneWriter['signer'] {
    return this.#writer.signer;
  }

  /** For how long the write under way has been without a proven end, in ms; 0 when there is none. */
  busyMs(): number {
    return this.#busySinceMs === undefined ? 0 : this.#ports.clock.monotonicMs() - this.#busySinceMs;
  }

  /** Requests whose end is neither proven nor reported. */
  get unresolved(): number {
    return this.#open.contenders.filter((flight) => !flight.isEmitted).length;
  }

  /** True while bytes that were signed here could still be executed. Refused ones count until their nonce is consumed. */
  get hasOpenBytes(): boolean {
    return this.#open.contenders.length > 0;
  }

  /** Opens the lane at `nonce`. */
  begin(nonce: Nonce): void {
    if (this.#haltCode !== undefined) return;
    assert(this.#open.contenders.length === 0, `no open write in lane ${this.id}`);
    this.#open = { nonce, contenders: [], epoch: '' };
    this.#isBegun = true;
    this.#rest();
  }

  /** Takes nothing until {@link begin}: the nonce must be asked for again. */
  suspend(): void {
    assert(this.#state === 'idle' && !this.hasOpenBytes, `lane ${this.id} to be idle, got ${this.#state}`);
    this.#isBegun = false;
    this.#rest();
  }

  /** Sends a command. @throws AssertionError when the lane is busy; ProtocolError when the command has no bytes. */
  send(command: LaneCommand, options: SendOptions = {}): RequestId {
    assert(this.#state === 'idle', `lane ${this.id} to be idle, got ${this.#state}`);
    assert(hasItems(command), `a command with at least one item, got an empty ${command.kind}`);
    this.#ports.journal.expectWrite();
    const epoch = this.#ports.epoch();
    const nowMs = this.#ports.serverNowMs();
    const minSeq = options.minSeq ?? this.#firstMinSeq;
    const { target, onEnd } = options;
    const write = { kind: 'write', command, target, nonce: this.#open.nonce, epoch, nowMs, minSeq } as const;
    const flight = newFlight(this.#writer, write, onEnd);
    flight.afterSeq = this.#ports.position.proven;
    this.#busySinceMs = this.#ports.clock.monotonicMs();
    const refused = askedAgain(flight, this.#open.contenders);
    if (refused !== undefined) {
      emitSent(this.#ports.sink, refused);
      this.#guard(this.#resolve({ isFenceDue: true }));
      return refused.record.requestId;
    }
    this.#state = 'signed';
    this.#open.epoch = epoch;
    this.#open.contenders.push(flight);
    let unsigned: HaltReason | undefined;
    this.#guard(
      this.#ports.journal.recordWrite(flight.record).then(
        () => (unsigned === undefined ? this.#leave(flight) : this.#notSent(flight, true, unsigned)),
        (error: unknown) =>
          this.#notSent(flight, false, { code: 'EXECUTION_JOURNAL_FAILED', reason: messageOf(error) }),
      ),
    );
    emitSent(this.#ports.sink, flight);
    try {
      signFlight(this.#writer, flight);
    } catch (error) {
      unsigned = { code: 'EXECUTION_SIGNING_FAILED', reason: messageOf(error) };
    }
    return flight.record.requestId;
  }

  /** Reports what a previous run left open. Orders and fills that may be of it find an intent that waits for them then. */
  reportOpen(records: readonly WriteRecord[]): void {
    for (const record of records) emitLeftOpen(this.#ports.sink, recordedFlight(this.#writer, record));
  }

  /** Resolves what was reported by {@link reportOpen}, nonce by nonce. Ends when all is proven or the lane has halted. */
  async recover(records: readonly WriteRecord[]): Promise<void> {
    const nonces = [...new Set(records.map((record) => record.nonce))].sort((a, b) => (a < b ? -1 : 1));
    for (const nonce of nonces) {
      const group = records.filter((record) => record.nonce === nonce);
      const contenders = group.map((record) => recordedFlight(this.#writer, record));
      for (const flight of contenders) flight.isUnresolvedEmitted = true;
      this.#open = { nonce, contenders, epoch: must(group[0], 'an open write').epoch };
      this.#busySinceMs = this.#ports.clock.monotonicMs();
      await this.#resolve();
      if (this.#haltCode !== undefined || this.#waits.isStopped) return;
    }
  }

  /** Stops for good, with a name. What is open continues to be resolved; with fences only while `mayFence`. */
  halt({ code, reason }: HaltReason, mayFence = false): void {
    const endsFences = !mayFence && this.#mayFence;
    if (endsFences) this.#mayFence = false;
    // A second reason is reported when it ends the fences: what is open stays open, which the first one did not say.
    if (this.#haltCode !== undefined && !endsFences) return;
    this.#haltCode = code;
    if (this.#state === 'idle' || this.#state === 'starting') this.#state = 'halted';
    this.#ports.log.error('lane halted', { lane: this.id, code, reason });
    this.#ports.sink({ type: 'LaneHalted', lane: this.id, code, reason });
  }

  /** Ends all waits: the process is about to end. What is open stays open in the journal. */
  dispose(): void {
    this.#waits.stop();
  }

  /** The record is durable. When that took too long, the write is not sent: an order without an armed switch ends, all else is fenced. */
  async #leave(flight: InFlightWrite): Promise<void> {
    if (this.#isUnguarded(flight)) await this.#ports.untilSettled?.();
    if (this.#waits.isStopped) return;
    if (this.#isUnguarded(flight)) this.#notSent(flight, true);
    else if (this.#isStale(flight)) this.#guard(this.#resolve({ isFenceDue: true }));
    else this.#post(flight);
  }

  #post(flight: InFlightWrite): void {
    this.#state = 'inflight';
    this.#guard(this.#ports.pipe.post(outgoingOf(flight)).then((answer) => this.#answered(flight, answer)));
  }

  #answered(flight: InFlightWrite, answer: RawAnswer | NoAnswer): void {
    const result = classifyAnswer(answer, flight.expected);
    const isFinal = result.kind === 'final';
    if (isFinal && this.#settle({ kind: 'won', flight, outcome: result.outcome, by: 'answer' })) return;
    this.#settlement.keepAnswer(flight, answer, result);
    if (result.kind === 'conflict' && result.epoch !== undefined)
      this.#ports.onEpoch(result.epoch, result.seq, flight.record.epoch);
    if (result.kind === 'refused') this.#refused(flight, result.code);
    else if (result.kind === 'again') this.#guard(this.#again(flight, result.afterMs ?? 0));
    else if (result.kind === 'notSent') this.#guard(this.#again(flight, 0));
    else if (result.kind === 'sequenced') this.#guard(this.#resolve({ waitMs: this.#backoff.next() }));
    else this.#undecided(flight, result);
  }

  #undecided(flight: InFlightWrite, result: Undecided): void {
    const why = 'why' in result ? result.why : 'code' in result ? result.code : 'answered in another ledger';
    emitUnresolved(this.#ports.sink, flight, why);
    if (result.kind === 'mismatch') this.#mismatched(result.why);
    this.#guard(this.#resolve());
  }

  /** Sends the same bytes again once nothing speaks against it; what has grown stale meanwhile is fenced. */
  async #again(flight: InFlightWrite, afterMs: number): Promise<void> {
    this.#state = 'waiting';
    let waitMs = this.#backoff.next(afterMs);
    for (;;) {
      await this.#waits.wait(waitMs);
      if (this.#waits.isStopped) return;
      // A gateway that refuses may have consumed the nonce all the same: the receipt is asked first (ambiguity A6).
      const verdict = await new Resolution(this.#host, this.#tools).ask();
      if (this.#waits.isStopped || this.#host.settle(verdict)) return;
      if (verdict.kind === 'open' && !this.#isStale(flight)) return this.#post(flight);
      if (verdict.kind !== 'wait') return await this.#resolve({ isFenceDue: verdict.kind === 'open' });
      waitMs = this.#backoff.next(verdict.afterMs);
    }
  }

  /** True if the switch that guarded an order has fired, or is about to, since the order was checked (invariant I11). */
  #isUnguarded({ record }: InFlightWrite): boolean {
    return this.#ports.mayPlace?.() === false && placesOf(record.command).length > 0;
  }

  /** True if a write may not be sent again. */
  #isStale(flight: InFlightWrite): boolean {
    if (this.#isUnguarded(flight)) return true;
    return isStale(flight, { busyMs: this.busyMs(), serverNowMs: this.#ports.serverNowMs() });
  }

  async #resolve({ waitMs = 0, isFenceDue = false } = {}): Promise<void> {
    this.#state = 'resolving';
    this.#backoff.reset();
    if (waitMs > 0) await this.#waits.wait(waitMs);
    await new Resolution(this.#host, this.#tools, isFenceDue).run();
  }

  #makeHost(): ResolutionHost {
    const lane = this;
    return {
      get open() {
        return lane.#open;
      },
      get mayFence() {
        return lane.#mayFence;
      },
      setState: (state) => {
        this.#state = state;
      },
      settle: (verdict) => this.#settle(verdict),
      closeVoid: (next) => this.#closeVoid(next),
      halt: (reason, mayFence) => this.halt(reason, mayFence),
      mismatched: (why) => this.#mismatched(why),
    };
  }

  /** An answer is about another request (obligation O75). Its receipt says what became of ours; several are no slip. */
  #mismatched(reason: string): void {
    if (++this.#mismatches >= MISMATCHES_MAX)
      this.halt({ code: 'EXECUTION_REQUEST_ID_MISMATCH', reason }, true);
    else this.#ports.log.warn('an answer is about another request', { lane: this.id, reason });
  }

  #settle(verdict: ReceiptVerdict): boolean {
    if (verdict.kind === 'won' && verdict.by === 'answer') this.#mismatches = 0;
    if (verdict.kind === 'won') return this.#won(verdict);
    if (verdict.kind === 'otherRequest') this.#usedByOther(verdict.by ?? 'unnamed');
    return verdict.kind === 'otherRequest';
  }

  /** A contender has used the nonce: all that was signed for it is closed. False: another ledger is said to have followed. */
  #won({ flight: winner, outcome, by }: Extract<ReceiptVerdict, { kind: 'won' }>): boolean {
    const { command, epoch, nonce } = winner.record;
    if (outcome.epoch !== undefined && outcome.epoch !== epoch)
      this.#ports.onEpoch(outcome.epoch, outcome.seq, by === 'answer' ? epoch : undefined);
    const saidIn = outcome.epoch ?? (by === 'receipt' ? this.#open.epoch : epoch);
    // Orders, positions and triggers of a ledger that is gone say nothing about the one that is there now; is it gone?
    if (saidIn !== '' && saidIn !== this.#ports.epoch()) {
      if (!this.#mayFence) this.#closeVoid((nonce + 1n) as Nonce);
      return !this.#mayFence;
    }
    const others = this.#open.contenders.filter((flight) => flight !== winner);
    this.#state = 'settling';
    this.#ports.onUsed(outcome.seq);
    const seq = this.#ports.position.take(outcome.seq);
    // Before the outcome is reported: its receiver checks the switch as it is now, not as it was.
    if (command.kind === 'scheduleCancel' && outcome.status === 'executed')
      this.#ports.onTrigger(command.triggerAtMs, seq);
    const unreported = this.#settlement.won(winner, others, { outcome: { ...outcome, seq }, proofBy: by });
    this.#firstMinSeq = undefined;
    this.#finish((nonce + 1n) as Nonce, unreported);
    winner.onEnd?.(endFor(winner, outcome, this.#ports.epoch()));
    this.#ports.onIdle();
    return true;
  }

  /** The nonce was consumed in a ledger that is gone: its requests are closed without a word on their items. */
  #closeVoid(next: Nonce): void {
    this.#state = 'settling';
    this.#finish(next, this.#settlement.voided(this.#open.contenders, this.#ports.epoch()));
    this.#ports.onIdle();
  }

  /**
   * A request that is none of the contenders has used the nonce. If it is an earlier one of ours, the nonce was begun at
   * what a lagging replica showed; else another writer shares the scope, and the lane halts (obligation O29).
   */
  #usedByOther(by: string): void {
    const { nonce, contenders } = this.#open;
    this.#state = 'settling';
    const unreported = this.#settlement.superseded(contenders, by);
    const reason = `nonce ${nonce} of ${this.scope} was used by request ${by}`;
    // The request that an answer to ours was about: the gateway names requests in another way than we do.
    const isMisnamed = this.#mismatches > 0;
    if (!this.#closed.has(by.toLowerCase()))
      this.halt(
        isMisnamed
          ? { code: 'EXECUTION_REQUEST_ID_MISMATCH', reason }
          : { code: 'EXECUTION_OTHER_WRITER', reason },
      );
    this.#finish((nonce + 1n) as Nonce, unreported);
    this.#ports.onIdle();
  }

  #refused(flight: InFlightWrite, code: string): void {
    this.#state = 'settling';
    const halt = this.#settlement.refused(flight, code);
    const isTooOften = ++this.#refusals >= REFUSALS_MAX;
    this.#busySinceMs = undefined;
    this.#rest();
    if (halt !== undefined) this.halt(halt);
    else if (isTooOften) {
      const reason = `${this.#refusals} writes in a row, the last with ${code}`;
      this.halt({ code: 'EXECUTION_REPEATED_REJECTS', reason });
    } else this.#guard(this.#closeShadow(this.#open.nonce));
    flight.onEnd?.('refused');
    this.#ports.onIdle();
  }

  /** Refused bytes are alive until their nonce is consumed: by the next write, or by a fence when none comes. */
  async #closeShadow(nonce: Nonce): Promise<void> {
    await this.#waits.wait(SHADOW_MS);
    const isResting = this.#state === 'idle' || (this.#state === 'halted' && this.#mayFence);
    if (this.#waits.isStopped || !isResting || this.#open.nonce !== nonce) return;
    this.#busySinceMs = this.#ports.clock.monotonicMs();
    await this.#resolve({ isFenceDue: true });
  }

  /** Not one byte has left, and its nonce is free. `isRecorded`: the journal has the write. `halt`: why the lane halts. */
  #notSent(flight: InFlightWrite, isRecorded: boolean, halt?: HaltReason): void {
    this.#state = 'settling';
    const { contenders, nonce } = this.#open;
    contenders.splice(contenders.indexOf(flight), 1);
    this.#settlement.notSent(flight, isRecorded);
    this.#busySinceMs = undefined;
    this.#rest();
    if (halt !== undefined) this.halt(halt);
    else if (contenders.length > 0) this.#guard(this.#closeShadow(nonce));
    flight.onEnd?.('notSent');
    if (halt === undefined) this.#ports.onIdle();
  }

  /** Moves to the next nonce; `unreported` are reported as never executing. */
  #finish(nonce: Nonce, unreported: readonly InFlightWrite[]): void {
    for (const { record } of this.#open.contenders) this.#closed.add(record.requestId.toLowerCase());
    this.#open = { nonce, contenders: [], epoch: '' };
    this.#busySinceMs = undefined;
    this.#refusals = 0;
    this.#backoff.reset();
    this.#rest();
    for (const flight of unreported) flight.onEnd?.('superseded');
  }

  /** Nothing is under way. A lane that has halted meanwhile takes nothing any more. */
  #rest(): void {
    this.#state = this.#haltCode !== undefined ? 'halted' : this.#isBegun ? 'idle' : 'starting';
  }

  /** A rejection here is a bug: nothing else is thrown. */
  #guard(work: Promise<void>): void {
    work.catch((error: unknown) => this.#ports.onBug(error));
  }
}
