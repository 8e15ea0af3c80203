/**
 * @module
 * Which state channels of an account owe a snapshot: after a connect, and after every `lagged` frame. Some gateways send
 * one on their own after a lag, some do not (ambiguity A5): what does not come is asked for, and in the end the
 * connection is left (obligations O98, O103).
 */
import type { Clock, Timer } from '../../../core/index.ts';

/** The channels that begin with a snapshot. */
export const STATE_CHANNELS = ['orders', 'positions', 'account'] as const;
/** One of {@link STATE_CHANNELS}. */
export type StateChannel = (typeof STATE_CHANNELS)[number];

/**
 * How long snapshots may take before they are asked for again. Below the two seconds within which the set of orders must
 * be right after a lag (obligation O103).
 */
const SNAPSHOT_WAIT_MS = 1_500;
const ATTEMPTS_MAX = 3;

/** What a watch can do about snapshots that do not come. */
export interface SnapshotRemedies {
  /** Subscribes again to get a snapshot. */
  resubscribe(channel: StateChannel): void;
  /** Closes the connection and opens a new one; `why` is logged. */
  reconnect(why: string): void;
}

/** Waits for snapshots. */
export class SnapshotWatch {
  readonly #clock: Clock;
  readonly #remedies: SnapshotRemedies;
  readonly #owed = new Set<StateChannel>();
  #timer: Timer | undefined;
  #attempts = 0;

  constructor(clock: Clock, remedies: SnapshotRemedies) {
    this.#clock = clock;
    this.#remedies = remedies;
  }

  /** The channels that owe a snapshot. */
  get owed(): ReadonlySet<StateChannel> {
    return this.#owed;
  }

  /** These channels must show a snapshot from now on. */
  expect(channels: readonly StateChannel[]): void {
    for (const channel of channels) this.#owed.add(channel);
    this.#attempts = 0;
    this.#schedule();
  }

  /** A snapshot came. */
  paid(channel: StateChannel): void {
    this.#owed.delete(channel);
    if (this.#owed.size === 0) this.#timer?.cancel();
  }

  /** No snapshot is due: the connection is gone. */
  clear(): void {
    this.#owed.clear();
    this.#timer?.cancel();
  }

  #schedule(): void {
    this.#timer?.cancel();
    this.#timer = this.#clock.after(SNAPSHOT_WAIT_MS, () => this.#remind());
  }

  #remind(): void {
    if (this.#owed.size === 0) return;
    if (this.#attempts >= ATTEMPTS_MAX) {
      this.#remedies.reconnect(`no snapshot of ${[...this.#owed].join(', ')}`);
      return;
    }
    this.#attempts++;
    for (const channel of this.#owed) this.#remedies.resubscribe(channel);
    this.#schedule();
  }
}
