/**
 * @module
 * Recognizes a switch that fired from what it did: orders canceled at a log position at which no write of ours executed
 * (obligation O79). The stream may report our own cancels before their answers do, so a position is checked when no
 * write is under way. Where something else may have canceled the order, nobody is alarmed, and the switch is armed again
 * before anything is placed.
 */

import type { Clock } from '../../core/index.ts';

/** What the watch asks and reports. */
export interface FiringWatchPorts {
  readonly clock: Clock;
  /** True while bytes of ours are under way, whose position is not known yet. */
  isBusy(): boolean;
  /** Orders were canceled at `seq`, and not by us. */
  onFired(seq: bigint): void;
  /** The same, but something else may have done it. */
  onDoubted(seq: bigint): void;
  /** Nothing is in doubt any more. */
  onCleared(): void;
}

/** Positions of our own writes that are remembered: the stream lags the answers by a few, not by hundreds. */
const OWN_MAX = 512;
/** An order waits no longer than this, ms, for the answer that says who has canceled. */
const WAIT_MS_MAX = 500;

/** See the module. */
export class FiringWatch {
  readonly #ports: FiringWatchPorts;
  readonly #own = new Set<bigint>();
  /** Positions in doubt; true: nothing but the switch would have canceled an order there. */
  readonly #doubts = new Map<bigint, boolean>();

  /** The switch may be gone, and is not confirmed again yet. */
  #isDoubted = false;
  /** Orders that wait until nothing is in doubt. */
  readonly #waiting = new Set<() => void>();

  constructor(ports: FiringWatchPorts) {
    this.#ports = ports;
  }

  /** Orders were canceled, and a write is under way that may have done it, or not: until then the switch may be gone. */
  get isInDoubt(): boolean {
    return this.#doubts.size > 0;
  }

  /**
   * Resolves when nothing is in doubt any more, and after {@link WAIT_MS_MAX} at the latest; `undefined`: nothing is. The
   * frames of our own cancels come before their answer: an order of another lane that was to leave just then waits for it,
   * and for the switch where that had to be confirmed again.
   */
  untilSettled(): Promise<void> | undefined {
    if (!this.isInDoubt && !this.#isDoubted) return undefined;
    return new Promise((resolve) => {
      const timer = this.#ports.clock.after(WAIT_MS_MAX, () => end());
      const end = (): void => {
        timer.cancel();
        this.#waiting.delete(end);
        resolve();
      };
      this.#waiting.add(end);
    });
  }

  /** A write of ours executed at `seq`. */
  noteOwn(seq: bigint): void {
    const hadDoubts = this.isInDoubt;
    this.#doubts.delete(seq);
    if (hadDoubts && !this.isInDoubt) this.#cleared();
    this.#own.add(seq);
    if (this.#own.size <= OWN_MAX) return;
    for (const oldest of this.#own) {
      this.#own.delete(oldest);
      break;
    }
  }

  /** The switch is confirmed: what was doubted before counts no more. */
  noteArmed(): void {
    this.#isDoubted = false;
    this.#cleared();
  }

  /** The stream reported an order that was canceled at `seq`. `isCertain`: nothing else than the switch would do that. */
  noteCanceled(seq: bigint, isCertain: boolean): void {
    if (this.#own.has(seq)) return;
    this.#doubts.set(seq, isCertain || this.#doubts.get(seq) === true);
    this.settle();
  }

  /** A snapshot at `seq` lacks an order whose end was not told: the switch may have taken it. */
  noteGone(seq: bigint): void {
    this.#isDoubted = true;
    this.#ports.onDoubted(seq);
  }

  /** Checks what is in doubt, unless a write is under way. */
  settle(): void {
    if (this.#doubts.size === 0 || this.#ports.isBusy()) return;
    const highest = (isCertain: boolean): bigint | undefined =>
      [...this.#doubts]
        .filter(([, isOne]) => isOne === isCertain)
        .reduce<bigint | undefined>(
          (most, [seq]) => (most === undefined || seq > most ? seq : most),
          undefined,
        );
    const [fired, doubted] = [highest(true), highest(false)];
    this.#doubts.clear();
    this.#isDoubted = fired === undefined;
    if (fired !== undefined) this.#ports.onFired(fired);
    if (doubted !== undefined) this.#ports.onDoubted(doubted);
    this.#cleared();
  }

  /** Another ledger: its positions start again. */
  beginEpoch(): void {
    this.#own.clear();
    this.#doubts.clear();
    this.#isDoubted = false;
    for (const end of this.#waiting) end();
  }

  #cleared(): void {
    if (!this.isInDoubt && !this.#isDoubted) for (const end of this.#waiting) end();
    this.#ports.onCleared();
  }
}
