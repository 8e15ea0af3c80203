/**
 * @module One copy of the exchange that lags: the entries of the log, applied some time after they were added.
 */
import type { Clock } from '../../core/index.ts';
import type { LogPosition } from '../engine/index.ts';
import type { LogEntry } from './entry.ts';
import type { ExchangeState } from './exchange-state.ts';

/** The state of a replica. */
export interface ReplicaView {
  /** Lag of the replica, ms. */
  readonly lagMs: number;
  /** The last position it has applied. */
  readonly seq: number;
}

interface Waiting {
  readonly entry: LogEntry;
  readonly at: LogPosition;
  readonly dueMs: number;
}

/** Entries that may wait although they are due. */
const WAITING_MAX = 10_000;

/** A replica. */
export class Replica {
  readonly #clock: Clock;
  readonly #state: ExchangeState;
  #lagMs: number;
  #waiting: Waiting[] = [];

  constructor(clock: Clock, state: ExchangeState, lagMs: number) {
    this.#clock = clock;
    this.#state = state;
    this.#lagMs = lagMs;
  }

  /** Its lag, in ms. */
  get lagMs(): number {
    return this.#lagMs;
  }

  /** Hears of an entry, to apply it later. */
  push(entry: LogEntry, at: LogPosition): void {
    this.#waiting.push({ entry, at, dueMs: this.#clock.monotonicMs() + this.#lagMs });
    // There may be no reader.
    if (this.#waiting.length > WAITING_MAX) this.read();
  }

  /** Applies an entry at once. */
  apply(entry: LogEntry, at: LogPosition): void {
    this.#state.apply(entry, at);
  }

  /** Its state as far as it has come. */
  read(): ExchangeState {
    const nowMs = this.#clock.monotonicMs();
    let due = 0;
    while ((this.#waiting[due]?.dueMs ?? Number.POSITIVE_INFINITY) <= nowMs) due++;
    for (const { entry, at } of this.#waiting.splice(0, due)) this.#state.apply(entry, at);
    return this.#state;
  }

  /** Applies what waits up to a position, whenever it is due. */
  applyUpTo(seq: number): void {
    const behind = this.#waiting.findIndex(({ at }) => at.seq > seq);
    for (const { entry, at } of this.#waiting.splice(0, behind < 0 ? this.#waiting.length : behind))
      this.#state.apply(entry, at);
  }

  /** Changes its lag; what waits already keeps at most the new wait. */
  setLag(lagMs: number): void {
    this.#lagMs = lagMs;
    const nowMs = this.#clock.monotonicMs();
    this.#waiting = this.#waiting.map((waiting) => ({
      ...waiting,
      dueMs: Math.min(waiting.dueMs, nowMs + lagMs),
    }));
  }
}
