/**
 * @module
 * Which positions of the exchange's log are believed: the one rule for answers, receipts, reads and frames. A jump is no loss
 * (obligation O95), but one wrong number must not be taken for a place in the log: all that is true would count as
 * older than it, and reads that ask for it would be refused for good. A position far beyond what is known is believed
 * once the exchange's own list of something says that its log goes there.
 */
import type { Clock } from '../../core/index.ts';

/** A step of the log that is believed at any pace. */
const STEP_MAX = 1_000;
/** How many times the pace of the log a step may be. */
const PACE_FACTOR = 10;
/** The pace is that of the last minute or two. */
const PACE_WINDOW_MS = 60_000;

/** Answers of the exchange that end before a position until it is not believed, and the pause between two questions, ms. */
export const DOUBT_ANSWERS_MAX = 8;
/** See {@link DOUBT_ANSWERS_MAX}. */
export const DOUBT_PAUSE_MS = 250;

/** How far the log of one ledger goes, as far as that is known. */
export class LogReach {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  #known: bigint | undefined;
  #knownAtMs = 0;
  /** The pace is counted from here. */
  #from: { readonly seq: bigint; readonly atMs: number } | undefined;

  constructor(clock: Pick<Clock, 'monotonicMs'>) {
    this.#clock = clock;
  }

  /** The newest position that is believed; `undefined`: none was said. */
  get known(): bigint | undefined {
    return this.#known;
  }

  /** True if the log may have come as far as `seq`; of a log of which nothing is known everything is possible. */
  mayBe(seq: bigint | undefined): boolean {
    if (seq === undefined || this.#known === undefined || seq <= this.#known) return true;
    const step = Number(seq - this.#known);
    if (step <= STEP_MAX || this.#from === undefined) return step <= STEP_MAX;
    const pacePerMs = Number(this.#known - this.#from.seq) / Math.max(1, this.#knownAtMs - this.#from.atMs);
    return step <= PACE_FACTOR * pacePerMs * (this.#clock.monotonicMs() - this.#knownAtMs);
  }

  /** The log goes as far as `seq`: the exchange's own list says so, or {@link mayBe} does. */
  advance(seq: bigint | undefined): void {
    if (seq === undefined || (this.#known !== undefined && seq <= this.#known)) return;
    const nowMs = this.#clock.monotonicMs();
    if (this.#from === undefined) this.#from = { seq, atMs: nowMs };
    else if (nowMs - this.#from.atMs >= PACE_WINDOW_MS)
      this.#from = { seq: this.#known ?? seq, atMs: this.#knownAtMs };
    this.#known = seq;
    this.#knownAtMs = nowMs;
  }

  /** Another ledger: nothing is known of its log. */
  forget(): void {
    this.#known = undefined;
    this.#from = undefined;
  }
}
