/**
 * @module
 * A few worker processes and the seeds that wait for one of them. A seed that does not come to its end in time is a
 * violation, and its process is replaced.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { brokenReport, type WorkerOrder, type WorkerReport } from './seed-process.ts';

/** Wall-clock time of one seed: far beyond what one takes, even where the machine is busy. */
const SEED_MS_MAX = 180_000;
/** A process runs so many seeds; then a fresh one takes over, so that no garbage of old worlds is carried on. */
const SEEDS_PER_PROCESS = 150;
/** Worlds are short-lived and full of small things: a young generation with room for them saves a part of the time. */
const FLAGS = ['--conditions=ballast-source', '--max-semi-space-size=64', '--min-semi-space-size=32'];

interface Waiting {
  readonly order: WorkerOrder;
  readonly done: (report: WorkerReport) => void;
}

interface Slot {
  child: ChildProcess | undefined;
  seeds: number;
  isBusy: boolean;
}

/** See the module. */
export class Workers {
  readonly #slots: Slot[];
  readonly #waiting: Waiting[] = [];

  constructor(count: number) {
    this.#slots = Array.from({ length: count }, () => ({ child: undefined, seeds: 0, isBusy: false }));
  }

  /** Runs an order as soon as a worker is free. Never rejects. */
  run(order: WorkerOrder): Promise<WorkerReport> {
    return new Promise((done) => {
      this.#waiting.push({ order, done });
      this.#dispatch();
    });
  }

  /** Ends all processes. */
  close(): void {
    for (const slot of this.#slots) this.#end(slot);
  }

  #dispatch(): void {
    for (const slot of this.#slots) {
      if (slot.isBusy) continue;
      const next = this.#waiting.shift();
      if (next === undefined) return;
      this.#give(slot, next);
    }
  }

  #give(slot: Slot, { order, done }: Waiting): void {
    if (slot.seeds >= SEEDS_PER_PROCESS) this.#end(slot);
    slot.child ??= fork(join(import.meta.dirname, 'seed-process.ts'), [], { execArgv: FLAGS });
    const { child } = slot;
    slot.isBusy = true;
    slot.seeds++;
    const finish = (report: WorkerReport): void => {
      clearTimeout(watchdog);
      child.off('message', finish);
      child.off('exit', onExit);
      slot.isBusy = false;
      done(report);
      this.#dispatch();
    };
    const onExit = (code: number | null, signal: string | null): void => {
      slot.child = undefined;
      finish(brokenReport(order.seed, `its process ended with ${code ?? signal}`));
    };
    const watchdog = setTimeout(() => {
      child.off('exit', onExit);
      this.#end(slot);
      finish(brokenReport(order.seed, `it hangs: no end within ${SEED_MS_MAX / 1000} s`));
    }, SEED_MS_MAX);
    child.on('message', finish);
    child.on('exit', onExit);
    child.send(order);
  }

  #end(slot: Slot): void {
    slot.child?.kill('SIGKILL');
    slot.child = undefined;
    slot.seeds = 0;
  }
}
