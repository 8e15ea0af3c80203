/**
 * @module Runs jobs on threads of this machine. Each thread takes a job at a time; one that dies is replaced and its
 * job tried once more, so that a job which kills every thread fails on its own and the rest continue.
 */
import { Worker } from 'node:worker_threads';
import { assert, must } from '../../core/index.ts';
import type { JobRunner, SweepJob, SweepResult } from './types.ts';

/** How a pool is made. */
export interface ThreadPoolOptions {
  /** The module a thread runs: it takes {@link SweepJob}s as messages and answers each with its {@link SweepResult}. */
  readonly url: URL;
  /** Handed to every thread at its start. */
  readonly data: unknown;
  /** Number of threads. */
  readonly workers: number;
}

/** How often a job is tried. */
const ATTEMPTS_MAX = 2;

interface Thread {
  readonly worker: Worker;
  job: SweepJob | undefined;
}

/** A pool of threads. Threads are started when there are jobs for them. */
export function createThreadPool(options: ThreadPoolOptions): JobRunner {
  return new ThreadPool(options);
}

class ThreadPool implements JobRunner {
  readonly #options: ThreadPoolOptions;
  readonly #threads = new Set<Thread>();
  readonly #attempts = new Map<string, number>();
  #waiting: SweepJob[] = [];
  #onResult: (result: SweepResult) => void = () => undefined;
  #left = 0;
  #done: (() => void) | undefined;
  #failed: (thrown: unknown) => void = () => undefined;
  #isClosed = false;

  constructor(options: ThreadPoolOptions) {
    assert(options.workers >= 1, `at least one worker, got ${options.workers}`);
    this.#options = options;
  }

  run(jobs: readonly SweepJob[], onResult: (result: SweepResult) => void): Promise<void> {
    assert(this.#done === undefined, 'one run at a time');
    if (jobs.length === 0) return Promise.resolve();
    return new Promise((resolve, reject) => {
      this.#failed = reject;
      this.#waiting = [...jobs];
      this.#left = jobs.length;
      this.#onResult = onResult;
      this.#done = resolve;
      while (this.#threads.size < Math.min(this.#options.workers, jobs.length)) this.#start();
      for (const thread of this.#threads) this.#feed(thread);
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(Array.from(this.#threads, ({ worker }) => worker.terminate()));
  }

  #start(): void {
    const worker = new Worker(this.#options.url, { workerData: this.#options.data });
    const thread: Thread = { worker, job: undefined };
    this.#threads.add(thread);
    worker.on('message', (result: SweepResult) => {
      thread.job = undefined;
      this.#take(result);
      this.#feed(thread);
    });
    let why = 'its thread ended';
    worker.on('error', (thrown: unknown) => {
      why = thrown instanceof Error ? thrown.message : String(thrown);
    });
    worker.on('exit', () => this.#lost(thread, why));
  }

  #feed(thread: Thread): void {
    if (thread.job !== undefined) return;
    thread.job = this.#waiting.shift();
    if (thread.job === undefined) return;
    const { key } = thread.job;
    this.#attempts.set(key, (this.#attempts.get(key) ?? 0) + 1);
    thread.worker.postMessage(thread.job);
  }

  /** A result that cannot be kept ends the run: the next ones could not be either. */
  #take(result: SweepResult): void {
    try {
      this.#finish(result);
    } catch (thrown) {
      this.#waiting = [];
      this.#done = undefined;
      this.#failed(thrown);
    }
  }

  #finish(result: SweepResult): void {
    this.#onResult(result);
    this.#left--;
    if (this.#left > 0) return;
    const done = must(this.#done, 'a run');
    this.#done = undefined;
    done();
  }

  /** A thread is gone. Its job goes to the next one, unless it has had its attempts. */
  #lost(thread: Thread, why: string): void {
    this.#threads.delete(thread);
    if (this.#isClosed) return;
    const { job } = thread;
    const isHopeless = job !== undefined && (this.#attempts.get(job.key) ?? 0) >= ATTEMPTS_MAX;
    if (job !== undefined && !isHopeless) this.#waiting.unshift(job);
    if (job !== undefined && isHopeless) this.#take({ key: job.key, error: why });
    if (this.#waiting.length === 0) return;
    this.#start();
    for (const one of this.#threads) this.#feed(one);
  }
}
