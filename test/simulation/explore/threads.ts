/** @module Schedules on several threads: each thread has one batch at a time. */
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { must } from '../../../src/core/index.ts';
import type { Runners } from './explorer.ts';
import type { Outcome } from './run-schedule.ts';
import type { Batch } from './schedule-thread.ts';

interface Thread {
  readonly worker: Worker;
  isBusy: boolean;
}

/** See the module. */
export class Threads implements Runners {
  readonly count: number;
  readonly #threads: readonly Thread[];
  readonly #waiting: (() => void)[] = [];
  #batches = 0;

  constructor(count: number) {
    this.count = count;
    const file = join(import.meta.dirname, 'schedule-thread.ts');
    this.#threads = Array.from({ length: count }, () => ({ worker: new Worker(file), isBusy: false }));
  }

  async run(ids: readonly string[]): Promise<readonly Outcome[]> {
    let free = this.#threads.find(({ isBusy }) => !isBusy);
    while (free === undefined) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
      free = this.#threads.find(({ isBusy }) => !isBusy);
    }
    const thread = must(free, 'a free thread');
    thread.isBusy = true;
    const number = ++this.#batches;
    try {
      return await new Promise((resolve, reject) => {
        const { worker } = thread;
        worker.once('error', reject);
        worker.once('message', (told: { readonly number: number; readonly outcomes: readonly Outcome[] }) => {
          worker.off('error', reject);
          resolve(told.outcomes);
        });
        worker.postMessage({ number, ids } satisfies Batch);
      });
    } finally {
      thread.isBusy = false;
      this.#waiting.shift()?.();
    }
  }

  /** Ends them. */
  async close(): Promise<void> {
    await Promise.all(this.#threads.map(({ worker }) => worker.terminate()));
  }
}
