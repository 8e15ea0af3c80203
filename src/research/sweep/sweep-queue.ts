/**
 * @module Sweeps over a queue: the runner of a sweep that is handed out, and the worker that does its jobs on threads,
 * so that the process continues to renew its hold on them. Paths are handed over relative to the folder the command
 * runs in: a worker runs in a folder of the same layout.
 */
import { relative, resolve } from 'node:path';
import type { Log } from '../../core/index.ts';
import { ownModule } from '../../core/index.ts';
import { createQueueRunner, type QueuedJob, type QueueWorker, startQueueWorker } from './queue.ts';
import type { SweepSetup } from './sweep-job.ts';
import { createThreadPool } from './thread-pool.ts';
import type { JobRunner, SweepResult } from './types.ts';

/** A runner whose jobs go to the workers at a Redis. */
export function queueRunner(url: string, setup: SweepSetup): Promise<JobRunner> {
  const { configFile, tape } = setup;
  return createQueueRunner(url, {
    ...setup,
    configFile: relative('.', configFile),
    tape: relative('.', resolve(tape)),
  });
}

/** Starts `ballast worker`: `workers` jobs at once, each on its own thread. */
export async function startSweepWorker(options: {
  readonly url: string;
  readonly workers: number;
  readonly log: Log;
}): Promise<QueueWorker> {
  const { url, workers, log } = options;
  const threads = Array.from({ length: workers }, () => new SweepThread());
  const worker = await startQueueWorker<SweepSetup>({
    url,
    concurrency: workers,
    evaluate: async (queued) => {
      // There are as many threads as jobs at once.
      const thread = threads.find((one) => !one.isBusy) ?? new SweepThread();
      const result = await thread.evaluate(queued);
      log.info('backtest done', {
        key: result.key,
        ...('error' in result ? { error: result.error } : {}),
      });
      return result;
    },
    onError: (why) => log.warn('Redis connection lost', { why }),
  });
  return {
    get done() {
      return worker.done;
    },
    async close() {
      await worker.close();
      await Promise.all(threads.map((thread) => thread.close()));
    },
  };
}

/** One thread that keeps what it has loaded while the sweep stays the same. */
class SweepThread {
  isBusy = false;
  #pool: { readonly setup: string; readonly runner: JobRunner } | undefined;

  async evaluate({ setup, job }: QueuedJob<SweepSetup>): Promise<SweepResult> {
    this.isBusy = true;
    try {
      const name = JSON.stringify(setup);
      if (this.#pool?.setup !== name) {
        await this.close();
        this.#pool = {
          setup: name,
          runner: createThreadPool({
            url: ownModule('research/sweep/sweep-worker'),
            data: setup,
            workers: 1,
          }),
        };
      }
      let result: SweepResult = { key: job.key, error: 'no result' };
      await this.#pool.runner.run([job], (one) => {
        result = one;
      });
      return result;
    } finally {
      this.isBusy = false;
    }
  }

  async close(): Promise<void> {
    await this.#pool?.runner.close();
  }
}
