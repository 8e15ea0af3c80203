/**
 * @module
 * When a guardian acts. It does so once: when the process of an armed run is gone, when its main loop has been silent for
 * too long, or when a person asks for it, and then it ends that process first. Nothing that has been ended writes any more, so there is never more
 * than one writer of a nonce scope, and never more than one that renews the switch.
 *
 *   armed ─▶ silent for 1.2 s, or asked ─▶ SIGKILL ─┐
 *     └────▶ its process is gone ───────────────────┴─▶ the book is emptied
 *   released, or gone before it was armed ──▶ nothing to do
 */
import type { Clock, Timer } from '../../core/index.ts';
import { BEAT_MS, HUNG_MS } from './messages.ts';
import { Silence } from './silence.ts';

/** What a watchman does things with. */
export interface WatchmanPorts {
  readonly clock: Clock;
  /** Ends the process of the run, which is then {@link Watchman.gone}. */
  kill(): void;
  /** Empties the book; `why` the run has not ended itself. */
  takeOver(why: string): void;
  /** There is nothing left to guard. */
  leave(): void;
}

/** A process that was killed is gone within this time, ms, unless its disk holds it: it can write nothing then, either. */
const DYING_MS_MAX = 500;

/** See the module. */
export class Watchman {
  readonly #ports: WatchmanPorts;
  readonly #silence: Silence;
  readonly #timer: Timer;
  #isArmed = false;
  #isOver = false;
  #endedFor: string | undefined;

  constructor(ports: WatchmanPorts) {
    this.#ports = ports;
    this.#silence = new Silence(ports.clock, BEAT_MS / 2);
    this.#timer = ports.clock.every(BEAT_MS / 2, () => this.#look());
  }

  /** The main loop of the run turns. */
  beat(): void {
    this.#silence.heard();
  }

  /** Orders may rest from now on. */
  arm(): void {
    this.#silence.heard();
    this.#isArmed = true;
  }

  /** A person asks for what it does when the run hangs. False: no order may rest, so there is nothing to take over. */
  ask(why: string): boolean {
    if (this.#isArmed) this.#endRun(why);
    return this.#isArmed;
  }

  /** No order rests, and none will. */
  release(): void {
    this.#isArmed = false;
    this.#end(() => this.#ports.leave());
  }

  /** The process of the run is gone. */
  gone(): void {
    const why = this.#endedFor ?? 'its process is gone';
    if (this.#isArmed) this.#end(() => this.#ports.takeOver(why));
    else this.#end(() => this.#ports.leave());
  }

  #look(): void {
    const silentMs = this.#silence.look();
    if (this.#isArmed && silentMs >= HUNG_MS)
      this.#endRun(`its main loop stood still for ${Math.round(silentMs)} ms`);
  }

  #endRun(why: string): void {
    if (this.#endedFor !== undefined || this.#isOver) return;
    this.#endedFor = why;
    this.#ports.kill();
    this.#ports.clock.after(DYING_MS_MAX, () => this.gone());
  }

  #end(act: () => void): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#timer.cancel();
    act();
  }
}
