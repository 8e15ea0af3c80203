/**
 * @module
 * The one way from "connected" to "synced" (reconciliation.md): for a cold start, a reconnect, a `lagged` frame and a
 * new ledger alike. The account is either SYNCED at a position or degraded with a named reason; only the former may be
 * traded on.
 *
 *   acknowledged (epoch E) ─▶ first snapshots (position q) ─▶ walks of fills and ledger past q ─▶ buffer merged
 *        ▲                                                     ▲         │ history is not of E   │
 *        │ reconnect: socket lost, epoch changed               └─ lagged, overflow               ▼
 *        └──────────────────────────────────────────────────────────────────────────────  SYNCED at S
 *
 * History frames that arrive meanwhile wait in a bounded buffer; one that overflows counts as lagged. Nothing happens
 * inside a socket callback but decoding, storing and showing.
 */
import {
  assert,
  type Clock,
  type Log,
  type Metrics,
  messageOf,
  must,
  type Random,
} from '../../../core/index.ts';
import {
  type AccountSelection,
  compareCursors,
  type FactSink,
  type PositionMismatch,
  type Seq,
  seqOfCursor,
} from '../../../domain/index.ts';
import type { AccountFrame, DecodeContext, SubscriptionParams } from '../../protocol/index.ts';
import { isCursor } from '../cursors.ts';
import type { EffectJournal, HistoryReader } from '../ports.ts';
import type { Lag } from '../stream-connection.ts';
import { ACCOUNT_CHANNELS, accountSubscriptions, isAccountChannel } from '../subscriptions.ts';
import { AccountFacts, type HistoryFrame } from './account-facts.ts';
import { AuditWatch } from './audit-watch.ts';
import type { WalkGoal } from './history-walk.ts';
import { Joiner } from './joiner.ts';
import { type AccountState, BUFFERED_MAX } from './resync-state.ts';
import { SnapshotWatch, STATE_CHANNELS, type StateChannel } from './snapshot-watch.ts';

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
}

const AUDITING = 'positions and fills are being compared';

/** The resync of one account. */
export class Resync {
  readonly #options: ResyncOptions;
  readonly #facts: AccountFacts;
  readonly #joiner: Joiner;
  readonly #watch: SnapshotWatch;
  readonly #auditWatch: AuditWatch;
  readonly #params: readonly SubscriptionParams[];
  /** Counts connections: what was begun for an older one finds out when it wakes up. */
  #generation = 0;
  /** The run ends: what follows is no degradation. */
  #isStopping = false;
  #wasSynced = false;
  readonly #acknowledged = new Set<string>();
  /** The epoch of the acknowledgements, and the one that the shown facts belong to. */
  #linkEpoch: string | undefined;
  #epoch: string | undefined;
  /** The position of the first snapshot that is after the subscription of both histories. */
  #joinSeq: Seq | undefined;
  #isJoining = false;
  #joiningSinceMs: number | undefined;
  /** True from the merge of the buffer on: history frames are applied as they come. */
  #isLive = false;
  /** What was dropped and is not walked yet: by the server, and by our own full buffer. */
  #lag: Lag | undefined;
  #missedSeq: Seq | undefined;
  #buffer: AccountFrame[] = [];
  #seq: Seq | undefined;
  /** The bound up to which the fills were walked. */
  #bookedSeq: Seq | undefined;
  /** Both histories were walked on this connection: what came before its frames is known. */
  #hasWalked = false;
  #reason: string | undefined = 'not started';

  constructor(options: ResyncOptions) {
    this.#options = options;
    this.#params = accountSubscriptions(options.selection);
    this.#facts = new AccountFacts({
      effects: options.effects,
      sink: options.sink,
      clock: options.clock,
      onJournalFailure: (thrown) => this.#degrade(`the journal refused a record: ${messageOf(thrown)}`),
    });
    this.#joiner = new Joiner({ ...options, facts: this.#facts, random: options.random.fork('joiner') });
    this.#auditWatch = new AuditWatch({
      audit: this.#facts.audit,
      clock: options.clock,
      log: options.log,
      onVerdict: (mismatch) => this.#judge(mismatch),
      onMoved: (moves) => this.#facts.show(moves),
      onAdopted: (adopted) => this.#facts.writer.addAdopted(adopted),
    });
    this.#watch = new SnapshotWatch(options.clock, {
      resubscribe: (channel) => this.#resubscribe(channel),
      reconnect: (why) => options.link.reconnect(why),
    });
  }

  /** Shows what is stored from before, and that it is not current. */
  start(): void {
    this.#epoch = this.#facts.restore();
    this.#degrade('not connected yet');
  }

  /** Ends for good. */
  stop(): void {
    this.#isStopping = true;
    this.onDown('stopped');
  }

  state(): AccountState {
    const nowMs = this.#options.clock.monotonicMs();
    return {
      isSynced: this.#reason === undefined,
      reason: this.#reason,
      seq: this.#seq,
      epoch: this.#epoch,
      backfillMs: this.#joiningSinceMs === undefined ? 0 : nowMs - this.#joiningSinceMs,
      isAuditClean: this.#facts.audit.findings(nowMs).isClean,
      bufferedFrames: this.#buffer.length,
    };
  }

  /** Elsewhere the exchange speaks of this ledger. */
  noteEpoch(epoch: string): void {
    if ((this.#linkEpoch ?? epoch) !== epoch) this.#options.link.reconnect('answers are of another epoch');
  }

  /** A channel of the account is acknowledged. All must be of one epoch (obligation O96). */
  onAcknowledged(params: SubscriptionParams, epoch: string): void {
    if (this.#linkEpoch !== undefined && this.#linkEpoch !== epoch) {
      this.#options.link.reconnect('acknowledgements of two epochs');
      return;
    }
    if (this.#linkEpoch === undefined) this.#watch.expect(STATE_CHANNELS);
    this.#linkEpoch = epoch;
    const isNew = !this.#acknowledged.has(params.channel);
    this.#acknowledged.add(params.channel);
    // All snapshots came before the histories were subscribed to: one more is needed after them.
    if (isNew && this.#isAcknowledged() && this.#joinSeq === undefined && this.#watch.owed.size === 0) {
      this.#watch.expect(['account']);
    }
    this.#tryJoin();
  }

  onFrame(frame: AccountFrame): void {
    const { selection, meter, link } = this.#options;
    if (frame.address !== undefined && !isOf(selection, frame)) {
      meter.count('stream_other_account_frames_total');
      return;
    }
    if (frame.epoch !== undefined && this.#linkEpoch !== undefined && frame.epoch !== this.#linkEpoch) {
      link.reconnect('a frame of another epoch');
      return;
    }
    if (frame.seq !== undefined && (this.#seq === undefined || frame.seq > this.#seq)) this.#seq = frame.seq;
    if (!isHistory(frame) && frame.isSnapshot) this.#noteSnapshot(frame.channel, frame.seq);
    if (isHistory(frame) ? this.#isLive : this.#isEpochConfirmed()) this.#apply(frame);
    else this.#hold(frame);
    this.#tryJoin();
    this.#settle();
  }

  /** The server dropped frames: fills and ledger are read up to its bound, the rest waits for snapshots. */
  onLagged(lag: Lag): void {
    if (this.#linkEpoch !== undefined && lag.epoch !== this.#linkEpoch) {
      this.#options.link.reconnect('lagged into another epoch');
      return;
    }
    if (!isCursor(lag.upper)) {
      this.#options.link.reconnect('lagged up to what is no place in history');
      return;
    }
    this.#degrade(`lagged: ${lag.dropped} frames dropped`);
    if (this.#lag === undefined || seqOfCursor(lag.upper) >= seqOfCursor(this.#lag.upper)) this.#lag = lag;
    this.#isLive = false;
    this.#auditWatch.interrupt();
    this.#watch.expect(STATE_CHANNELS);
    this.#tryJoin();
  }

  /** A frame of the account's connection could not be read. If it may have been ours, only a new connection is sure. */
  onUnreadable(text: string): void {
    const channel = /"channel"\s*:\s*"([a-z]+)"/.exec(text)?.[1];
    if (channel === undefined || isAccountChannel(channel) || channel === 'lagged') {
      this.#options.link.reconnect('a frame of the account that cannot be read');
    }
  }

  onDown(why: string): void {
    this.#generation++;
    this.#acknowledged.clear();
    this.#linkEpoch = undefined;
    this.#watch.clear();
    this.#joinSeq = undefined;
    this.#isJoining = false;
    this.#joiningSinceMs = undefined;
    this.#isLive = false;
    this.#hasWalked = false;
    this.#lag = undefined;
    this.#missedSeq = undefined;
    this.#buffer = [];
    this.#facts.interrupt();
    this.#auditWatch.interrupt();
    this.#degrade(`disconnected: ${why}`);
  }

  #isAcknowledged(): boolean {
    return this.#acknowledged.size === ACCOUNT_CHANNELS.length;
  }

  #isEpochConfirmed(): boolean {
    return this.#epoch !== undefined && this.#epoch === this.#linkEpoch;
  }

  #noteSnapshot(channel: StateChannel, seq: Seq | undefined): void {
    this.#watch.paid(channel);
    const isBehindHistory = this.#acknowledged.has('fills') && this.#acknowledged.has('ledger');
    if (isBehindHistory && seq !== undefined) this.#joinSeq ??= seq;
  }

  #resubscribe(channel: StateChannel): void {
    const params = this.#params.find((candidate) => candidate.channel === channel);
    if (params !== undefined) this.#options.link.resubscribe(params);
  }

  #apply(frame: AccountFrame): void {
    if (isHistory(frame)) this.#facts.applyHistory(frame);
    else this.#facts.applyState(frame, frame.seq ?? this.#seq ?? (0n as Seq));
  }

  #hold(frame: AccountFrame): void {
    if (this.#buffer.length < BUFFERED_MAX) {
      this.#buffer.push(frame);
      return;
    }
    this.#options.meter.count('stream_buffer_overflows_total');
    if (!isHistory(frame)) {
      this.#options.link.reconnect('too many frames before the epoch was confirmed');
      return;
    }
    const seq = seqOfCursor(frame.channel === 'fills' ? frame.fill.id : frame.entry.id);
    if (this.#missedSeq === undefined || seq > this.#missedSeq) this.#missedSeq = seq;
  }

  #tryJoin(): void {
    if (this.#isJoining || this.#isLive || !this.#isAcknowledged() || this.#joinSeq === undefined) return;
    this.#isJoining = true;
    this.#joiningSinceMs ??= this.#options.clock.monotonicMs();
    const generation = this.#generation;
    this.#join(this.#joinSeq, () => this.#generation === generation).catch((thrown: unknown) => {
      // A bug of ours: it is named, and the next connection tries again.
      const why = `joining the streams failed: ${messageOf(thrown)}`;
      this.#options.log.error(why);
      if (this.#generation === generation) this.#options.link.reconnect(why);
    });
  }

  async #join(joinSeq: Seq, isCurrent: () => boolean): Promise<void> {
    const epoch = this.#linkEpoch;
    assert(epoch !== undefined, 'an acknowledged epoch');
    if (!this.#isEpochConfirmed() && !(await this.#confirmEpoch(epoch, joinSeq, isCurrent))) return;
    // After a lag on a living connection everything up to it is known: only its own bound is left to be walked.
    let goal: WalkGoal | undefined = this.#hasWalked ? this.#nextGoal(epoch) : { epoch, minSeq: joinSeq };
    while (goal !== undefined) {
      const result = await this.#joiner.join(goal, isCurrent);
      if (!isCurrent() || result.kind === 'abandoned') return;
      if (result.kind === 'epochChanged')
        return this.#options.link.reconnect('the history is of another epoch');
      this.#bookedSeq = seqOfCursor(result.upper);
      goal = this.#nextGoal(epoch);
    }
    this.#merge();
    await this.#facts.writer.flush();
    if (!isCurrent() || !this.#isLive) return;
    this.#joiningSinceMs = undefined;
    this.#settle();
  }

  /** The ledger is not the one that the shown facts belong to, or the first one: is it really this connection's? */
  async #confirmEpoch(epoch: string, joinSeq: Seq, isCurrent: () => boolean): Promise<boolean> {
    const found = await this.#joiner.epochAt(joinSeq, isCurrent);
    if (found === undefined) return false;
    if (found !== epoch) {
      this.#options.link.reconnect('the history is of another epoch');
      return false;
    }
    const isChange = this.#epoch !== undefined;
    this.#epoch = epoch;
    this.#auditWatch.beginEpoch();
    const begun = this.#facts.beginEpoch(epoch, isChange ? joinSeq : undefined);
    const held = this.#buffer;
    this.#buffer = [];
    for (const frame of held) {
      if (isHistory(frame)) this.#buffer.push(frame);
      else this.#apply(frame);
    }
    await begun;
    return isCurrent();
  }

  /** What was dropped meanwhile; `undefined` when nothing was. */
  #nextGoal(epoch: string): WalkGoal | undefined {
    const lag = this.#lag;
    const missedSeq = this.#missedSeq;
    this.#lag = undefined;
    this.#missedSeq = undefined;
    if (missedSeq === undefined) return lag && { epoch, upper: lag.upper };
    // What is buffered is older than what was missed: the walk brings all of it.
    this.#buffer = [];
    const lagSeq = lag === undefined ? missedSeq : seqOfCursor(lag.upper);
    return { epoch, minSeq: lagSeq > missedSeq ? lagSeq : missedSeq };
  }

  /** Frames that waited, in the order of history; those that the walk brought are passed over. */
  #merge(): void {
    const held = this.#buffer;
    this.#buffer = [];
    const fills = held.flatMap((frame) => (frame.channel === 'fills' ? [frame.fill] : []));
    const entries = held.flatMap((frame) => (frame.channel === 'ledger' ? [frame.entry] : []));
    this.#facts.applyFills(fills.sort((a, b) => compareCursors(a.id, b.id)));
    this.#facts.applyLedger(entries.sort((a, b) => compareCursors(a.id, b.id)));
    this.#hasWalked = true;
    this.#isLive = true;
    this.#isJoining = false;
  }

  /** SYNCED when nothing is missing any more. */
  #settle(): void {
    if (!this.#isLive || this.#joiningSinceMs !== undefined) return;
    if (this.#facts.writer.hasFailed) {
      this.#degrade('the journal refused a record');
      return;
    }
    if (this.#watch.owed.size > 0) return;
    if (!this.#auditWatch.isClean()) {
      if (this.#reason !== undefined && !this.#auditWatch.hasSynced) this.#degrade(AUDITING);
      return;
    }
    if (this.#reason === undefined) return;
    this.#reason = undefined;
    this.#auditWatch.noteSynced();
    const seq = must(this.#seq ?? this.#joinSeq, 'a position to be synced at');
    this.#options.log.info('the account is synced', { seq, epoch: this.#epoch });
    this.#wasSynced = true;
    const bookedSeq = must(this.#bookedSeq, 'a place up to which the history was walked');
    this.#options.sink({ type: 'AccountSynced', seq, bookedSeq, epoch: this.#epoch });
  }

  #degrade(reason: string): void {
    if (this.#reason === reason) return;
    this.#reason = reason;
    const { log } = this.#options;
    if (this.#isStopping) log.debug('the account is not followed any more', { reason });
    else if (this.#wasSynced) log.warn('the account is degraded', { reason });
    else log.info('the account is not known yet', { reason });
    this.#options.sink({ type: 'AccountDegraded', reason });
  }

  #judge(mismatch: PositionMismatch | undefined): void {
    if (mismatch !== undefined && this.#isLive) {
      const { symbol, fillLots, publishedLots, seq } = mismatch;
      this.#degrade(
        `position of ${symbol}: fills make ${fillLots} lots, the exchange says ${publishedLots} at ${seq}`,
      );
      // Where only changes are sent, a fresh snapshot may be all that is missing (ambiguity A4).
      this.#resubscribe('positions');
    }
    this.#settle();
  }
}

function isHistory(frame: AccountFrame): frame is HistoryFrame {
  return frame.channel === 'fills' || frame.channel === 'ledger';
}

function isOf(selection: AccountSelection, frame: AccountFrame): boolean {
  return frame.address === selection.address.toLowerCase() && frame.subaccount === selection.subaccount;
}
