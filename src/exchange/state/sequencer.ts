/**
 * @module
 * Gives every change of the exchange its position in one log and applies it at once. After it, replicas may run:
 * the same entries, applied later, from which reads are served, all of them or a share (obligation O18). A log that is
 * kept can be cut: what came after the cut never happened.
 *
 *   entry ─▶ position (seq, sub, block time) ─▶ newest state ─▶ listeners
 *                                            └▶ replicas, each later by its lag
 */
import { assert, type Clock, must, type Random, type UnixMs } from '../../core/index.ts';
import type { LogPosition } from '../engine/index.ts';
import type { Applied, LogEntry } from './entry.ts';
import { SYSTEM_SUB } from './event.ts';
import { ExchangeState } from './exchange-state.ts';
import { QuirkSwitches } from './quirks.ts';
import { Replica, type ReplicaView } from './replica.ts';
import type { ResolvedSettings } from './settings.ts';

/** Hears of each entry once it is applied to the newest state. */
export type EntryListener = (applied: Applied, entry: LogEntry, at: LogPosition) => void;

/** What one request reads from, and what a gateway knows of grants that answers it. */
export interface PickedRead {
  /** Asked again while the request waits. */
  readonly read: () => ExchangeState;
  /** Where it looks up the grant of a write. */
  readonly grants: () => ExchangeState;
}

/** The log of the exchange. */
export class Sequencer {
  readonly #clock: Clock;
  readonly #make: (kind: 'newest' | 'replica') => ExchangeState;
  #state: ExchangeState;
  #replicas: readonly Replica[];
  /** True if several of them answer at one address. */
  readonly #isMany: boolean;
  /** Reads that the replica answers; the others see the newest state. */
  #replicaShare = 1;
  /** All entries so far, where they are kept. */
  #kept: { readonly entry: LogEntry; readonly at: LogPosition }[] | undefined;
  readonly #listeners: EntryListener[] = [];
  readonly #newest: PickedRead = { read: () => this.state, grants: () => this.state };
  #durabilityLagMs: number;
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
    this.#durabilityLagMs = settings.durabilityLagMs;
    // What comes up on a replica has come up before.
    const unheard = new QuirkSwitches(settings.quirks);
    this.#make = (kind) => new ExchangeState(settings, epoch, kind === 'newest' ? quirks : unheard);
    this.#state = this.#make('newest');
    this.#isMany = settings.replicas.length > 0;
    const lags = this.#isMany ? settings.replicas : settings.replicaLagMs > 0 ? [settings.replicaLagMs] : [];
    this.#replicas = this.#makeReplicas(lags);
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
  onApplied(listener: EntryListener): void {
    this.#listeners.push(listener);
  }

  /** Gives `entry` the next position and applies it. `blockAtMs`: of a block that is replayed. */
  append(entry: LogEntry, blockAtMs?: number): Applied {
    const seq = ++this.#seq;
    if (entry.kind === 'block') this.#beginBlock(blockAtMs ?? this.#clock.nowMs());
    const sub = entry.kind === 'request' || entry.kind === 'flowCommand' ? 0 : SYSTEM_SUB;
    const at: LogPosition = { seq, sub, blockAtMs: this.#blockAtMs };
    const applied = this.state.apply(entry, at);
    this.#kept?.push({ entry, at });
    for (const replica of this.#replicas) replica.push(entry, at);
    if (this.#durabilityLagMs > 0)
      this.#notDurable.push({ seq, dueMs: this.#clock.monotonicMs() + this.#durabilityLagMs });
    for (const listener of this.#listeners) listener(applied, entry, at);
    return applied;
  }

  /** The state that reads see now: the newest one, or the first replica as far as it has come. */
  readState(): ExchangeState {
    return this.#replicas[0]?.read() ?? this.state;
  }

  /** What one request reads from, drawn by `random` when there are several states to read from. */
  pickRead(random: Random): PickedRead {
    const first = this.#replicas[0];
    if (first === undefined) return this.#newest;
    const newest = this.#newest.read;
    const isBehind = this.#replicaShare === 1 || random.chance(this.#replicaShare);
    if (this.#isMany) {
      const picked = isBehind ? this.#replicas[random.integer(0, this.#replicas.length - 1)] : undefined;
      const read = picked === undefined ? newest : () => picked.read();
      return { read, grants: read };
    }
    const behind = () => first.read();
    return { read: isBehind ? behind : newest, grants: behind };
  }

  /** Lag and position of each replica. */
  replicas(): readonly ReplicaView[] {
    return this.#replicas.map((replica) => ({ lagMs: replica.lagMs, seq: replica.read().seq }));
  }

  /** After a replay: replicas and results are as far as they had come. */
  settle(reached: { readonly replicas: readonly ReplicaView[]; readonly durableSeq: number }): void {
    for (const [at, replica] of this.#replicas.entries()) {
      const { lagMs, seq } = reached.replicas[at] ?? { lagMs: replica.lagMs, seq: this.#seq };
      replica.setLag(lagMs);
      replica.applyUpTo(seq);
    }
    this.#notDurable = this.#notDurable.filter(({ seq }) => seq > reached.durableSeq);
  }

  /** Which share of the requests the replicas answer now. */
  get replicaShare(): number {
    return this.#replicaShare;
  }

  /** How long results stay pending, in ms. */
  get durabilityLagMs(): number {
    return this.#durabilityLagMs;
  }

  /** Which share of the requests the replicas answer; 1: all. */
  setReplicaShare(share: number): void {
    this.#replicaShare = share;
  }

  /** Cuts the log after `seq`. @throws AssertionError when the exchange was made without `keepsLog`. */
  rollBack(seq: number): void {
    assert(this.#kept !== undefined, 'an exchange made with keepsLog');
    const kept = this.#kept.filter(({ at }) => at.seq <= seq);
    this.#kept = kept;
    this.#state = this.#make('newest');
    this.#replicas = this.#makeReplicas(this.#replicas.map(({ lagMs }) => lagMs));
    for (const { entry, at } of kept) {
      this.#state.apply(entry, at);
      for (const replica of this.#replicas) replica.apply(entry, at);
    }
    this.#seq = seq;
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

  /** Changes the lag of all replicas, or of one. @throws AssertionError when there is no such replica. */
  setReplicaLag(lagMs: number, replica?: number): void {
    assert(this.#replicas.length > 0, 'an exchange made with replicaLagMs above 0, or with replicas');
    const chosen = replica === undefined ? this.#replicas : [must(this.#replicas[replica], 'a replica')];
    for (const one of chosen) one.setLag(lagMs);
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

  #beginBlock(blockAtMs: number): void {
    this.#blockAtMs = Math.max(this.#blockAtMs, blockAtMs) as UnixMs;
  }

  #makeReplicas(lagsMs: readonly number[]): readonly Replica[] {
    return lagsMs.map((lagMs) => new Replica(this.#clock, this.#make('replica'), lagMs));
  }
}
