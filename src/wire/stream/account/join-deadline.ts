/**
 * @module
 * How long a join may wait without getting on. Then its connection is made again: what it waits for may be a position that
 * a wrong frame has named, and the next connection names another. Each time the wait is longer, for a history that is
 * only slow.
 */
import type { Clock, Timer } from '../../../core/index.ts';

/** The first wait and the longest one, ms. */
const WAIT_MS_FIRST = 10_000;
const WAIT_MS_MAX = 160_000;

/** The patience of joins, one after the other. */
export class JoinDeadline {
  readonly #clock: Clock;
  readonly #onOver: (waitedMs: number) => void;
  #waitMs = WAIT_MS_FIRST;
  #timer: Timer | undefined;

  /** `onOver` is called when a join waited for too long. */
  constructor(clock: Clock, onOver: (waitedMs: number) => void) {
    this.#clock = clock;
    this.#onOver = onOver;
  }

  /** A join begins, or has got on. `statedMs`: the exchange asked to wait for so long, which is no fault of the join. */
  restart(statedMs = 0): void {
    this.#timer?.cancel();
    const waitMs = this.#waitMs;
    this.#timer = this.#clock.after(waitMs + statedMs, () => {
      this.#waitMs = Math.min(WAIT_MS_MAX, this.#waitMs * 2);
      this.#onOver(waitMs);
    });
  }

  /** The join is over. `isDone`: it reached its end. */
  end(isDone: boolean): void {
    this.#timer?.cancel();
    if (isDone) this.#waitMs = WAIT_MS_FIRST;
  }
}
