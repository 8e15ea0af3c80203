/**
 * @module
 * The process of the bot over all its lives: signals, stalls, death and restart, and the clocks of its machine.
 */

import type { TradingScope } from '../../src/bot/risk/index.ts';
import { assert, must, type Random, type VirtualClock } from '../../src/core/index.ts';
import type { SimulationDisk } from './disk.ts';
import { type LifeParts, LifeRun } from './life.ts';
import { MachineTime } from './life-clock.ts';
import type { SimulationNetwork } from './network.ts';
import type { BotProcess, Life } from './types.ts';

/** What a process is made of. */
export interface ProcessParts extends Omit<LifeParts, 'number' | 'machine'> {
  readonly network: SimulationNetwork;
  readonly disk: SimulationDisk;
  /** Decides what a crash leaves of what was under way. */
  readonly random: Random;
}

/** A second signal after this time ends the process at once, as in `src/bot/live/stop-signal.ts`. */
const SAME_SIGNAL_MS = 700;

/** See the module. */
export class SimulatedProcess implements BotProcess {
  readonly machine: MachineTime;
  readonly #parts: ProcessParts;
  readonly #world: VirtualClock;
  #life: LifeRun | undefined;
  #isStopped = false;
  #stalledUntilMs = 0;
  #terminatedAtMs: number | undefined;

  constructor(parts: ProcessParts) {
    this.#parts = parts;
    this.#world = parts.world;
    this.machine = new MachineTime(parts.world);
  }

  get life(): Life {
    return must(this.#life, 'a life');
  }

  get isPaused(): boolean {
    return this.#life?.clock.isPaused ?? false;
  }

  /** False: no life, or it is over. */
  get isAlive(): boolean {
    return this.#life !== undefined && this.#life.state !== 'over';
  }

  start(): void {
    assert(!this.isAlive, 'a life that is over before the next begins');
    this.#isStopped = false;
    this.#stalledUntilMs = 0;
    this.#terminatedAtMs = undefined;
    const number = (this.#life?.number ?? 0) + 1;
    this.#life = new LifeRun({ ...this.#parts, number, machine: this.machine });
    this.#life.start();
  }

  kill(kind: 'crash' | 'powerLoss'): void {
    if (this.#life === undefined || !this.isAlive) return;
    this.#life.kill(kind);
    this.#parts.disk.lose(kind, this.#parts.random);
    this.#parts.network.hangUp(this.#life.number);
  }

  pause(): void {
    if (!this.isAlive || this.#isStopped) return;
    this.#isStopped = true;
    this.#tell('paused');
    this.#life?.clock.pause();
  }

  resume(): void {
    if (!this.#isStopped) return;
    this.#isStopped = false;
    if (!this.isAlive) return;
    this.#tell('resumed');
    this.#goOn();
  }

  stall(forMs: number): void {
    if (!this.isAlive) return;
    const life = this.#life;
    this.#stalledUntilMs = Math.max(this.#stalledUntilMs, this.#world.monotonicMs() + forMs);
    life?.clock.pause();
    this.#world.after(forMs, () => {
      if (this.#life === life) this.#goOn();
    });
  }

  stepClock(byMs: number): void {
    this.machine.step(byMs);
    if (this.isAlive) this.#parts.tell({ kind: 'clockStepped', life: this.life.number, byMs });
  }

  setDrift(ppm: number): void {
    this.machine.setDrift(ppm);
  }

  terminate(): void {
    if (!this.isAlive) return;
    const nowMs = this.#world.monotonicMs();
    if (this.#terminatedAtMs !== undefined && nowMs - this.#terminatedAtMs > SAME_SIGNAL_MS) {
      this.kill('crash');
      return;
    }
    this.#terminatedAtMs ??= nowMs;
    this.#life?.terminate();
  }

  letTrade(scope: TradingScope): void {
    this.#life?.letTrade(scope);
  }

  /** The process runs, its machine's clock is right. */
  heal(): void {
    this.resume();
    this.#stalledUntilMs = 0;
    this.#goOn();
    this.machine.heal();
  }

  /** Looks at the health of the life. */
  look(): void {
    this.#life?.look();
  }

  #goOn(): void {
    if (this.#isStopped || this.#stalledUntilMs > this.#world.monotonicMs()) return;
    this.#life?.clock.resume();
  }

  #tell(what: 'paused' | 'resumed'): void {
    this.#parts.tell({ kind: 'life', life: this.life.number, what });
  }
}
