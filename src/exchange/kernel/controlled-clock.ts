/**
 * @module The clock of an exchange that is served: it runs with the machine, or is stopped until it is advanced
 * (`manual`). Either can be moved ahead: every timer on the way fires at its own time. What this does not do: go back,
 * except by {@link ControlledClock.jumpTo}, which is for another exchange instead of this one.
 */
import {
  assert,
  type Clock,
  repeatedly,
  type Timer,
  type UnixMs,
  unixMs,
  VirtualClock,
} from '../../core/index.ts';

/** True if time passes without calls. */
export type ClockMode = 'system' | 'manual';

/** A clock that can be moved ahead. */
export class ControlledClock implements Clock {
  readonly mode: ClockMode;
  readonly #base: Clock;
  readonly #baseStartMs: number;
  /** Holds the timers; its time lags in mode `system` until a timer is due. */
  readonly #timers = new VirtualClock(0);
  /** Unix time at monotonic time 0. */
  #originMs: number;
  /** By how much it was moved ahead. */
  #aheadMs = 0;
  /** The Unix time at which it is held. */
  #heldAtMs: UnixMs | undefined;
  #isMoving = false;
  #moves: Promise<void> = Promise.resolve();
  #alarm: Timer | undefined;
  #alarmAtMs = Number.POSITIVE_INFINITY;

  /** `startMs`: its first time; default: the time of `base`. */
  constructor(base: Clock, mode: ClockMode = 'system', startMs: number = base.nowMs()) {
    this.mode = mode;
    this.#base = base;
    this.#baseStartMs = base.monotonicMs();
    this.#originMs = startMs;
  }

  /** The machine's time, for what must not wait for a caller of {@link advance}; `undefined` while time passes anyway. */
  get machine(): Clock | undefined {
    return this.mode === 'manual' ? this.#base : undefined;
  }

  nowMs(): UnixMs {
    return this.#heldAtMs ?? unixMs(Math.floor(this.#originMs + this.monotonicMs()));
  }

  monotonicMs(): number {
    if (this.mode === 'manual' || this.#isMoving) return this.#timers.monotonicMs();
    return this.#base.monotonicMs() - this.#baseStartMs + this.#aheadMs;
  }

  after(delayMs: number, action: () => void): Timer {
    const behindMs = this.monotonicMs() - this.#timers.monotonicMs();
    const timer = this.#timers.after(behindMs + Math.max(0, delayMs), action);
    this.#arm();
    return timer;
  }

  /** The next period begins when `action` is called, as with timers of the machine: a late one is not made up for. */
  every(periodMs: number, action: () => void): Timer {
    assert(periodMs > 0, `a period above zero, got ${periodMs}`);
    return repeatedly(this, periodMs, action);
  }

  soon(action: () => void): void {
    this.#base.soon(action);
  }

  /** Moves `durationMs` ahead; what is due on the way happens at its time, its promises settled. One move at a time. */
  advance(durationMs: number): Promise<void> {
    assert(durationMs >= 0, `a time ahead, got ${durationMs} ms`);
    const move = this.#moves.then(() => this.#move(durationMs));
    this.#moves = move.catch(() => undefined);
    return move;
  }

  /** Reports this Unix time until {@link jumpTo} is called, however long that takes. Timers and durations are not touched. */
  holdAt(nowMs: number): void {
    this.#heldAtMs = unixMs(nowMs);
  }

  /** Reports another Unix time, which passes from now on. Timers and durations are not touched. */
  jumpTo(nowMs: number): void {
    this.#heldAtMs = undefined;
    this.#originMs += nowMs - this.nowMs();
  }

  async #move(durationMs: number): Promise<void> {
    const targetMs = this.monotonicMs() + durationMs;
    this.#isMoving = true;
    try {
      await this.#timers.advanceAsync(targetMs - this.#timers.monotonicMs());
    } finally {
      this.#isMoving = false;
      this.#aheadMs += this.mode === 'manual' ? 0 : targetMs - this.monotonicMs();
      this.#alarmAtMs = Number.POSITIVE_INFINITY;
      this.#arm();
    }
  }

  /** Sees to it that the first timer fires in time, when time passes on its own. */
  #arm(): void {
    if (this.mode === 'manual' || this.#isMoving) return;
    const nextAtMs = this.#timers.nextAtMs();
    if (nextAtMs === undefined || nextAtMs >= this.#alarmAtMs) return;
    this.#alarm?.cancel();
    this.#alarmAtMs = nextAtMs;
    this.#alarm = this.#base.after(Math.max(0, nextAtMs - this.monotonicMs()), () => this.#ring());
  }

  #ring(): void {
    this.#alarmAtMs = Number.POSITIVE_INFINITY;
    if (this.#isMoving) return;
    const nowMs = this.monotonicMs();
    try {
      while (this.#timers.step(nowMs)) if (this.#isMoving) break;
    } finally {
      this.#arm();
    }
  }
}
