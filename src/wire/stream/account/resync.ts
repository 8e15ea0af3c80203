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
 * History frames that arrive meanwhile wait in a bounded buffer; one that overflows counts as lagged. A join that does not
 * get on ends with its connection. While SYNCED an audit asks the exchange whether what was booked is all that there is.
 * Nothing happens inside a socket callback but decoding, storing and showing.
 */
import { assert, messageOf, must } from '../../../core/index.ts';
import { type Cursor, type PositionMismatch, type Seq, seqOfCursor } from '../../../domain/index.ts';
import type { AccountFrame, SubscriptionParams } from '../../protocol/index.ts';
import { isCursor, laterOf } from '../cursors.ts';
import type { Lag } from '../stream-connection.ts';
import { ACCOUNT_CHANNELS, accountSubscriptions, isAccountChannel, isFrameOf } from '../subscriptions.ts';
import { AccountFacts } from './account-facts.ts';
import { AuditWatch } from './audit-watch.ts';
import { ExchangeAudit } from './exchange-audit.ts';
import { HeldFrames, isHistory, placeOf } from './held-frames.ts';
import type { WalkGoal } from './history-walk.ts';
import { JoinDeadline } from './join-deadline.ts';
import { type JoinCaller, Joiner } from './joiner.ts';
import { LogEnd } from './log-end.ts';
import type { AccountState, ResyncOptions } from './resync-state.ts';
import { SnapshotWatch, STATE_CHANNELS, type StateChannel } from './snapshot-watch.ts';

const AUDITING = 'positions and fills are being compared';

/** The resync of one account. */
export class Resync {
  readonly #options: ResyncOptions;
  readonly #facts: AccountFacts;
  readonly #joiner: Joiner;
  readonly #watch: SnapshotWatch;
  readonly #auditWatch: AuditWatch;
  readonly exchangeAudit: ExchangeAudit;
  readonly #end: LogEnd;
  readonly #deadline: JoinDeadline;
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
  /** How often it stopped being live. */
  #interruptions = 0;
  /** What the server dropped and is not walked yet. */
  #lag: Lag | undefined;
  readonly #held = new HeldFrames();
  #seq: Seq | undefined;
  /** The bound up to which the fills were walked. */
  #bookedSeq: Seq | undefined;
  /** Both histories were walked on this connection: what came before its frames is known. */
  #hasWalked = false;
  /** A difference of positions has lasted: it is the reason. */
  #isMismatched = false;
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
      mayAdopt: () => this.exchangeAudit.hasReread,
    });
    this.exchangeAudit = new ExchangeAudit({
      ...options,
      facts: this.#facts,
      joiner: this.#joiner,
      random: options.random.fork('audit'),
      account: {
        liveEpoch: () => (this.#isLive && this.#joiningSinceMs === undefined ? this.#epoch : undefined),
        interruptions: () => this.#interruptions,
        seq: () => this.#facts.newestSeq(this.#seq),
        mayBe: (seq) => this.#end.mayBe(seq),
        refreshOrders: () => this.#resubscribe('orders'),
        onAudited: () => {
          this.#auditWatch.judgeNow();
          this.#settle();
        },
      },
    });
    this.#end = new LogEnd({
      ...options,
      onDoubt: (why) => this.#degrade(this.#reason ?? why),
      onBeyond: (why) => options.link.reconnect(why),
    });
    this.#deadline = new JoinDeadline(options.clock, (waitedMs) => {
      const sinceMs = this.#joiningSinceMs;
      options.link.reconnect(`the history could not be joined within ${waitedMs} ms`);
      // It is the same wait, on another connection.
      this.#joiningSinceMs = sinceMs;
    });
    this.#watch = new SnapshotWatch(options.clock, {
      resubscribe: (channel) => this.#resubscribe(channel),
      reconnect: (why) => options.link.reconnect(why),
    });
  }

  /** Shows what is stored from before, and that it is not current. */
  start(): void {
    this.exchangeAudit.start();
    this.#epoch = this.#auditWatch.resume(this.#facts.restore());
    this.#degrade('not connected yet');
  }

  /** Ends for good. */
  stop(): void {
    this.#isStopping = true;
    this.exchangeAudit.stop();
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
      bufferedFrames: this.#held.size,
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

  /** True if the exchange's log is known to reach the place of this entry. */
  reaches(id: Cursor): boolean {
    return isCursor(id) && this.#end.isKnown && this.#end.mayBe(seqOfCursor(id));
  }

  onFrame(frame: AccountFrame): void {
    const { selection, meter, link } = this.#options;
    if (!isFrameOf(selection, frame)) {
      meter.count('stream_other_account_frames_total');
      return;
    }
    if (frame.epoch !== undefined && this.#linkEpoch !== undefined && frame.epoch !== this.#linkEpoch) {
      link.reconnect('a frame of another epoch');
      return;
    }
    const place = isHistory(frame) ? laterOf(frame.seq, placeOf(frame)) : frame.seq;
    this.#pass(place, () => this.#take(frame));
  }

  /** Takes what names a position once the log is known to reach it; what waits until then is missing meanwhile. */
  #pass(seq: Seq | undefined, take: () => void): void {
    this.#end.pass(seq, () => {
      take();
      this.#settle();
    });
  }

  /** Takes a frame whose position the log is known to reach, or whose position nothing is known of yet. */
  #take(frame: AccountFrame): void {
    if (!isHistory(frame) && frame.isSnapshot) this.#noteSnapshot(frame.channel, frame.seq);
    if (isHistory(frame) ? this.#isLive : this.#isConfirmed()) this.#apply(frame);
    else this.#hold(frame);
    this.#tryJoin();
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
    this.#pass(seqOfCursor(lag.upper), () => this.#takeLag(lag));
  }

  #takeLag(lag: Lag): void {
    if (this.#lag === undefined || seqOfCursor(lag.upper) >= seqOfCursor(this.#lag.upper)) this.#lag = lag;
    this.#interruptHistory();
    this.#watch.expect(STATE_CHANNELS);
    this.#tryJoin();
  }

  /** Entries may be missing from now on. */
  #interruptHistory(): void {
    this.#isLive = false;
    this.#interruptions++;
    this.#auditWatch.interrupt();
    this.#facts.interruptHistory();
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
    this.#deadline.end(false);
    this.#end.clear();
    this.#interruptHistory();
    this.#hasWalked = false;
    this.#lag = undefined;
    this.#held.clear();
    this.#isMismatched = false;
    this.#facts.interrupt();
    this.#degrade(`disconnected: ${why}`);
  }

  #isAcknowledged(): boolean {
    return this.#acknowledged.size === ACCOUNT_CHANNELS.length;
  }

  #isEpochConfirmed(): boolean {
    return this.#epoch !== undefined && this.#epoch === this.#linkEpoch;
  }

  /** States may be shown: of which ledger they are is known, and how far its log goes. */
  #isConfirmed(): boolean {
    return this.#isEpochConfirmed() && this.#end.isKnown;
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
    const seq = frame.seq;
    if (seq !== undefined && (this.#seq === undefined || seq > this.#seq)) this.#seq = seq;
    if (isHistory(frame)) {
      this.#facts.applyHistory(frame);
      // How far a position was moved is believed once the exchange says so when it is asked.
      if (frame.channel === 'ledger' && this.#facts.audit.isMoving) this.exchangeAudit.suspect();
    }
    // How an order ended that is gone without a word is in the history.
    else if (this.#facts.applyState(frame, seq ?? this.#seq ?? (0n as Seq))) this.exchangeAudit.suspect();
  }

  #hold(frame: AccountFrame): void {
    const outcome = this.#held.add(frame);
    if (outcome === 'kept') return;
    this.#options.meter.count('stream_buffer_overflows_total');
    if (outcome === 'lost') this.#options.link.reconnect('too many frames before the epoch was confirmed');
  }

  #tryJoin(): void {
    if (this.#isJoining || this.#isLive || !this.#isAcknowledged() || this.#joinSeq === undefined) return;
    this.#isJoining = true;
    this.#joiningSinceMs ??= this.#options.clock.monotonicMs();
    this.#deadline.restart();
    const generation = this.#generation;
    const caller: JoinCaller = {
      isCurrent: () => this.#generation === generation,
      from: 'newest',
      onProgress: (statedMs) => {
        if (this.#generation === generation) this.#deadline.restart(statedMs);
      },
    };
    this.#join(this.#joinSeq, caller).catch((thrown: unknown) => {
      // A bug of ours: it is named, and the next connection tries again.
      const why = `joining the streams failed: ${messageOf(thrown)}`;
      this.#options.log.error(why);
      if (this.#generation === generation) this.#options.link.reconnect(why);
    });
  }

  async #join(joinSeq: Seq, caller: JoinCaller): Promise<void> {
    const { isCurrent } = caller;
    const epoch = this.#linkEpoch;
    assert(epoch !== undefined, 'an acknowledged epoch');
    if (!this.#isConfirmed() && !(await this.#confirm(epoch, joinSeq, caller))) return;
    // After a lag on a living connection everything up to it is known: only its own bound is left to be walked.
    let goal: WalkGoal | undefined = this.#hasWalked ? this.#nextGoal(epoch) : { epoch, minSeq: joinSeq };
    while (goal !== undefined) {
      const result = await this.#joiner.join(goal, caller);
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
    this.#deadline.end(true);
    this.exchangeAudit.begin();
    this.#settle();
  }

  /**
   * The ledger is not the one that the shown facts belong to, or the first one: is it really this connection's? And how far
   * does its log go?
   */
  async #confirm(epoch: string, joinSeq: Seq, caller: JoinCaller): Promise<boolean> {
    const end = await this.#joiner.endAt(joinSeq, caller);
    if (end === undefined) return false;
    if (end.epoch !== epoch) {
      this.#options.link.reconnect('the history is of another epoch');
      return false;
    }
    let begun: Promise<void> | undefined;
    if (!this.#isEpochConfirmed()) {
      const isChange = this.#epoch !== undefined;
      this.#epoch = epoch;
      this.#end.forget();
      this.#seq = undefined;
      this.#auditWatch.beginEpoch();
      this.exchangeAudit.beginEpoch();
      begun = this.#facts.beginEpoch(epoch, isChange ? joinSeq : undefined);
    }
    this.#end.note(end.seq);
    for (const frame of this.#held.takeStates()) this.#pass(frame.seq, () => this.#apply(frame));
    await begun;
    return caller.isCurrent();
  }

  /** What was dropped meanwhile; `undefined` when nothing was. */
  #nextGoal(epoch: string): WalkGoal | undefined {
    const lag = this.#lag;
    this.#lag = undefined;
    // What is held is older than what was missed: the walk brings all of it.
    const missedSeq = this.#held.takeMissed();
    if (missedSeq === undefined) return lag && { epoch, upper: lag.upper };
    return { epoch, minSeq: lag === undefined ? missedSeq : laterOf(missedSeq, seqOfCursor(lag.upper)) };
  }

  /** Frames that waited, in the order of history; those that the walk brought are passed over. */
  #merge(): void {
    const { fills, entries } = this.#held.takeHistory();
    this.#facts.applyFills(fills, 'stream');
    this.#facts.applyLedger(entries, 'stream');
    this.#hasWalked = true;
    this.#isLive = true;
    this.#isJoining = false;
  }

  /** SYNCED when nothing is missing any more. */
  #settle(): void {
    if (!this.#isLive || this.#joiningSinceMs !== undefined || this.#end.isDoubting) return;
    if (this.#facts.writer.hasFailed) {
      this.#degrade('the journal refused a record');
      return;
    }
    if (this.#watch.owed.size > 0) return;
    if (!this.#auditWatch.isClean()) {
      if (this.#reason !== undefined && !this.#auditWatch.hasSynced && !this.#isMismatched)
        this.#degrade(AUDITING);
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
    this.#isMismatched = mismatch !== undefined;
    if (mismatch !== undefined && this.#isLive) {
      const { symbol, fillLots, publishedLots, seq } = mismatch;
      this.#degrade(
        `position of ${symbol}: fills make ${fillLots} lots, the exchange says ${publishedLots} at ${seq}`,
      );
      // Where only changes are sent, a fresh snapshot may be all that is missing (ambiguity A4).
      this.#resubscribe('positions');
      this.exchangeAudit.suspect();
    }
    this.#settle();
  }
}
