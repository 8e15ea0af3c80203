/**
 * @module
 * The clocks of the bot's machine and of one life of its process. The machine's time can step and drift against the
 * world's; a life's timers wait while it is stopped and never fire once it is dead. What reaches the process from
 * outside comes through {@link LifeClock.deliver} and waits and dies with the timers.
 */
import type { Clock, Timer, UnixMs, VirtualClock } from '../../src/core/index.ts';

const PPM = 1_000_000;
/** Timers of a drifting clock are this late, so that rounding never makes them early by its own reading. */
const ROUNDING_MS = 0.001;

/** The clocks of one machine: they outlive its processes. */
export class MachineTime {
  readonly #world: VirtualClock;
  #rate = 1;
  /** A moment at which world time and machine time are both known. */
  #baseWorldMs = 0;
  #baseMs = 0;
  #wallOffsetMs: number;

  constructor(world: VirtualClock) {
    this.#world = world;
    this.#wallOffsetMs = world.nowMs() - world.monotonicMs();
  }

  /** Monotonic time of the machine. */
  monotonicMs(): number {
    if (this.#rate === 1) return this.#world.monotonicMs() - this.#baseWorldMs + this.#baseMs;
    return this.#baseMs + (this.#world.monotonicMs() - this.#baseWorldMs) * this.#rate;
  }

  /** Wall-clock time of the machine. */
  nowMs(): UnixMs {
    return Math.floor(this.monotonicMs() + this.#wallOffsetMs) as UnixMs;
  }

  /** Moves the wall clock alone. */
  step(byMs: number): void {
    this.#wallOffsetMs += byMs;
  }

  /** The machine counts `ppm` millionths too fast from now on. */
  setDrift(ppm: number): void {
    this.#baseMs = this.monotonicMs();
    this.#baseWorldMs = this.#world.monotonicMs();
    this.#rate = 1 + ppm / PPM;
  }

  /** How long a delay of this machine is in the world. */
  worldDelayMs(delayMs: number): number {
    return this.#rate === 1 || delayMs === 0 ? delayMs : delayMs / this.#rate + ROUNDING_MS;
  }

  /** The wall clock is right again and runs at the world's pace. */
  heal(): void {
    this.setDrift(0);
    this.#wallOffsetMs = this.#world.nowMs() - this.monotonicMs();
  }
}

/** What one life sees of time. */
export class LifeClock implements Clock {
  readonly #world: VirtualClock;
  readonly #machine: MachineTime;
  /** What came due while the process was stopped, in its order. */
  #held: (() => void)[] = [];
  #isPaused = false;
  #isDead = false;

  constructor(world: VirtualClock, machine: MachineTime) {
    this.#world = world;
    this.#machine = machine;
  }

  get isDead(): boolean {
    return this.#isDead;
  }

  get isPaused(): boolean {
    return this.#isPaused;
  }

  nowMs(): UnixMs {
    return this.#machine.nowMs();
  }

  monotonicMs(): number {
    return this.#machine.monotonicMs();
  }

  after(delayMs: number, action: () => void): Timer {
    return this.#start(delayMs, undefined, action);
  }

  every(periodMs: number, action: () => void): Timer {
    return this.#start(periodMs, periodMs, action);
  }

  soon(action: () => void): void {
    this.#start(0, undefined, action);
  }

  /** Runs `action` in the process: now, when it goes on, or never. */
  deliver(action: () => void): void {
    if (this.#isDead) return;
    if (this.#isPaused) this.#held.push(action);
    else action();
  }

  /** SIGSTOP. */
  pause(): void {
    this.#isPaused = true;
  }

  /** SIGCONT: what waited comes at once, each in a turn of its own. */
  resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    const held = this.#held;
    this.#held = [];
    for (const action of held) this.#world.soon(() => this.deliver(action));
  }

  /** SIGKILL: nothing of this life happens any more. */
  kill(): void {
    this.#isDead = true;
    this.#held = [];
  }

  /** A period that came due while the process was stopped comes once, as in Node. */
  #start(delayMs: number, periodMs: number | undefined, action: () => void): Timer {
    let timer: Timer | undefined;
    let isCanceled = false;
    const run = (): void => {
      if (isCanceled) return;
      if (periodMs !== undefined) arm(periodMs);
      action();
    };
    const arm = (ms: number): void => {
      if (this.#isDead) return;
      timer = this.#world.after(this.#machine.worldDelayMs(ms), () => this.deliver(run));
    };
    arm(delayMs);
    return {
      cancel: () => {
        isCanceled = true;
        timer?.cancel();
      },
    };
  }
}
