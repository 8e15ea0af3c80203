/**
 * @module
 * Gives every change of the exchange its place in one log and applies it there at once. Behind it may run a replica:
 * the same entries, applied later, from which reads are served, all of them or a share (obligation O18). A log that is
 * kept can be cut: what came after the cut never happened.
 *
 *   entry ─▶ position (seq, sub, block time) ─▶ newest state ─▶ listeners
 *                                            └▶ replica, `replicaLagMs` later
 */
import { assert, type Clock, type Random, type UnixMs } from '../core/index.ts';
import type { LogPosition } from '../venue/index.ts';
import { QuirkSwitches } from './quirks.ts';
import type { ResolvedSettings } from './settings.ts';
import type { Applied, LogEntry } from './state/entry.ts';
import { SYSTEM_SUB } from './state/event.ts';
import { ExchangeState } from './state/exchange-state.ts';

/** Hears of each entry once it is applied to the newest state. */
export type AppliedListener = (applied: Applied, entry: LogEntry, at: LogPosition) => void;

interface Waiting {
  readonly entry: LogEntry;
  readonly at: LogPosition;
  readonly dueMs: number;
}

/** The log of the exchange. */
export class Sequencer {
  readonly #clock: Clock;
  readonly #make: (kind: 'newest' | 'replica') => ExchangeState;
  #state: ExchangeState;
  #replica: ExchangeState | undefined;
  /** Reads that the replica answers; the others see the newest state. */
  #replicaShare = 1;
  /** All entries so far, where they are kept. */
  #kept: { readonly entry: LogEntry; readonly at: LogPosition }[] | undefined;
  readonly #listeners: AppliedListener[] = [];
  #replicaLagMs: number;
  #durabilityLagMs: number;
  #toReplica: Waiting[] = [];
  #notDurable: { readonly seq: number; readonly dueMs: number }[] = [];
  #durableSeq = 0;
  #seq = 0;
  #blockAtMs: UnixMs;

  constructor(
    clock: Clock,
    settings: ResolvedSettings,
    { epoch, quirks }: { readonly epoch: string; readonly quirks: QuirkSwitches },
  ) {
    this.#clock = clock;
    this.#blockAtMs = clock.nowMs();
    this.#replicaLagMs = settings.replicaLagMs;
    this.#durabilityLagMs = settings.durabilityLagMs;
    // What comes up on a replica has come up before.
    const unheard = new QuirkSwitches(settings.quirks);
    this.#make = (kind) => new ExchangeState(settings, epoch, kind === 'newest' ? quirks : unheard);
    this.#state = this.#make('newest');
    this.#replica = settings.replicaLagMs > 0 ? this.#make('replica') : undefined;
    this.#kept = settings.keepsLog ? [] : undefined;
  }

  /** The newest state. After {@link rollBack} it is another object. */
  get state(): ExchangeState {
    return this.#state;
  }

  /** The last position that was given. */
  get seq(): number {
    return this.#seq;
  }

  /** Time of the current block. */
  get blockAtMs(): UnixMs {
    return this.#blockAtMs;
  }

  /** Calls `listener` for every entry from now on, in the order they were added. */
  onApplied(listener: AppliedListener): void {
    this.#listeners.push(listener);
  }

  /** Gives `entry` the next position and applies it. */
  append(entry: LogEntry): Applied {
    const seq = ++this.#seq;
    if (entry.kind === 'block') this.#blockAtMs = Math.max(this.#blockAtMs, this.#clock.nowMs()) as UnixMs;
    const sub = entry.kind === 'request' || entry.kind === 'flowCommand' ? 0 : SYSTEM_SUB;
    const at: LogPosition = { seq, sub, blockAtMs: this.#blockAtMs };
    const applied = this.state.apply(entry, at);
    this.#kept?.push({ entry, at });
    if (this.#replica !== undefined)
      this.#toReplica.push({ entry, at, dueMs: this.#clock.monotonicMs() + this.#replicaLagMs });
    if (this.#durabilityLagMs > 0)
      this.#notDurable.push({ seq, dueMs: this.#clock.monotonicMs() + this.#durabilityLagMs });
    for (const listener of this.#listeners) listener(applied, entry, at);
    return applied;
  }

  /** The state that reads see now: the newest one, or the replica as far as it has come. */
  readState(): ExchangeState {
    if (this.#replica === undefined) return this.state;
    const nowMs = this.#clock.monotonicMs();
    let due = 0;
    while ((this.#toReplica[due]?.dueMs ?? Number.POSITIVE_INFINITY) <= nowMs) due++;
    for (const { entry, at } of this.#toReplica.splice(0, due)) this.#replica.apply(entry, at);
    return this.#replica;
  }

  /** The state one request reads from: drawn by `random` when only a share of the reads comes from the replica. */
  pickRead(random: Random): () => ExchangeState {
    if (this.#replica === undefined) return () => this.state;
    const isBehind = this.#replicaShare === 1 || random.chance(this.#replicaShare);
    return isBehind ? () => this.readState() : () => this.state;
  }

  /** Which share of the requests the replica answers; 1: all. */
  setReplicaShare(share: number): void {
    this.#replicaShare = share;
  }

  /** Cuts the log behind `seq`. @throws AssertionError when the exchange was made without `keepsLog`. */
  rollBack(seq: number): void {
    assert(this.#kept !== undefined, 'an exchange made with keepsLog');
    const kept = this.#kept.filter(({ at }) => at.seq <= seq);
    this.#kept = kept;
    this.#state = this.#make('newest');
    if (this.#replica !== undefined) this.#replica = this.#make('replica');
    for (const { entry, at } of kept) {
      this.#state.apply(entry, at);
      this.#replica?.apply(entry, at);
    }
    this.#seq = seq;
    this.#toReplica = [];
    this.#notDurable = this.#notDurable.filter((waiting) => waiting.seq <= seq);
  }

  /** The last position whose result is written down: receipts after it are pending, history ends at it. */
  durableSeq(): number {
    if (this.#durabilityLagMs === 0 && this.#notDurable.length === 0) return this.#seq;
    const nowMs = this.#clock.monotonicMs();
    let due = 0;
    while ((this.#notDurable[due]?.dueMs ?? Number.POSITIVE_INFINITY) <= nowMs) due++;
    this.#notDurable.splice(0, due);
    this.#durableSeq = (this.#notDurable[0]?.seq ?? this.#seq + 1) - 1;
    return this.#durableSeq;
  }

  /** Changes how far the replica is behind. @throws AssertionError when the exchange was made without a replica. */
  setReplicaLag(lagMs: number): void {
    assert(this.#replica !== undefined, 'an exchange made with replicaLagMs above 0');
    this.#replicaLagMs = lagMs;
    const nowMs = this.#clock.monotonicMs();
    this.#toReplica = this.#toReplica.map((waiting) => ({
      ...waiting,
      dueMs: Math.min(waiting.dueMs, nowMs + lagMs),
    }));
  }

  /** Changes how long results stay pending; what is pending already keeps at most the new wait. */
  setDurabilityLag(lagMs: number): void {
    this.#durabilityLagMs = lagMs;
    const nowMs = this.#clock.monotonicMs();
    this.#notDurable = this.#notDurable.map(({ seq, dueMs }) => ({
      seq,
      dueMs: Math.min(dueMs, nowMs + lagMs),
    }));
  }
}
