/** @module A clock that changes its pace at given instants, the same in several processes. */
import { type Clock, repeatedly, SystemClock, type Timer, type UnixMs } from '../src/core/index.ts';

/** A pace. Clocks of several processes that get the same ones are one. */
export interface ClockScale {
  /** How much faster than the machine's it runs. */
  readonly factor: number;
  /** From when on, Unix ms of the machine. */
  readonly fromMs: number;
}

interface Pending {
  readonly dueMs: number;
  readonly action: () => void;
  timer: Timer;
}

/** See the module. */
export class ScaledClock implements Clock {
  readonly #system = new SystemClock();
  readonly #pending = new Set<Pending>();
  /** What it says at the beginning of its newest pace, ms. */
  #baseMs = 0;
  #before = 1;
  #scale: ClockScale = { factor: 1, fromMs: 0 };

  /** Changes its pace; what waits is due at the same time of this clock. */
  setPace(scale: ClockScale): void {
    this.#baseMs += (scale.fromMs - this.#scale.fromMs) * this.#scale.factor;
    this.#before = this.#scale.factor;
    this.#scale = scale;
    for (const one of this.#pending) {
      one.timer.cancel();
      this.#set(one);
    }
  }

  nowMs(): UnixMs {
    return Math.floor(this.#scaled()) as UnixMs;
  }

  monotonicMs(): number {
    return this.#scaled() - performance.timeOrigin;
  }

  after(delayMs: number, action: () => void): Timer {
    const one = { dueMs: this.#scaled() + Math.max(0, delayMs), action, timer: { cancel: () => undefined } };
    this.#set(one);
    return {
      cancel: () => {
        this.#pending.delete(one);
        one.timer.cancel();
      },
    };
  }

  every(periodMs: number, action: () => void): Timer {
    return repeatedly(this, periodMs, action);
  }

  soon(action: () => void): void {
    this.#system.soon(action);
  }

  #set(one: Pending): void {
    this.#pending.add(one);
    one.timer = this.#system.after(this.#realOf(one.dueMs) - realMs(), () => {
      this.#pending.delete(one);
      one.action();
    });
  }

  #scaled(): number {
    const { factor, fromMs } = this.#scale;
    const sinceMs = realMs() - fromMs;
    return this.#baseMs + sinceMs * (sinceMs <= 0 ? this.#before : factor);
  }

  #realOf(scaledMs: number): number {
    const { factor, fromMs } = this.#scale;
    const sinceMs = scaledMs - this.#baseMs;
    return fromMs + sinceMs / (sinceMs <= 0 ? this.#before : factor);
  }
}

function realMs(): number {
  return performance.timeOrigin + performance.now();
}
