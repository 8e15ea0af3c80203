/**
 * @module
 * Jobs of a sweep over Redis, through BullMQ: a queue of jobs by their keys, and workers that take them. A worker that
 * dies loses its lock; another one takes its job, and since a job is known by its key its result counts once. Both
 * packages are optional peers, loaded when a queue is used.
 */
import { BotError, messageOf, whyNotLoaded } from '../../core/index.ts';
import type { JobRunner, SweepJob, SweepResult } from './types.ts';

/** The queue in Redis. */
const QUEUE = 'ballast-sweep';
/** How long a job stays with a worker that is not heard of, in ms, and how often that is looked at. */
const LOCK_MS = 10_000;
const STALLED_LOOK_MS = 3_000;
/** How many workers a job may take with it before it fails. */
const STALLED_MAX = 5;
/** How long results stay in Redis, in seconds: a sweep that was killed finds them again. */
const KEPT_S = 86_400;

/** A job with all a worker needs to know; plain data. */
export interface QueuedJob<Setup> {
  /** What the worker needs for every job. */
  readonly setup: Setup;
  /** The job. */
  readonly job: SweepJob;
}

/** A runner whose jobs are done by the workers of a queue. @throws BotError `SWEEP_QUEUE_UNREACHABLE`, `SWEEP_QUEUE_MISSING`. */
export async function createQueueRunner<Setup>(url: string, setup: Setup): Promise<JobRunner> {
  const { bull, connect } = await load(url);
  const connection = await connect();
  const queue = new bull.Queue(QUEUE, { connection });
  const events = new bull.QueueEvents(QUEUE, { connection: await connect() });
  await events.waitUntilReady();
  return {
    async run(jobs, onResult) {
      await Promise.all(
        jobs.map(async (job) => {
          const options = { jobId: job.key, removeOnComplete: { age: KEPT_S }, removeOnFail: true };
          const queued = await queue.add('backtest', { setup, job } satisfies QueuedJob<Setup>, options);
          onResult(
            await queued.waitUntilFinished(events).then(
              (result: SweepResult) => result,
              (thrown: unknown): SweepResult => ({ key: job.key, error: messageOf(thrown) }),
            ),
          );
        }),
      );
    },
    async close() {
      await events.close();
      await queue.close();
      connection.disconnect();
    },
  };
}

/** A worker at a queue. */
export interface QueueWorker {
  /** Jobs done so far. */
  readonly done: number;
  /** Takes no more jobs; resolves when those that run are over. */
  close(): Promise<void>;
}

/** Takes jobs of a queue, `concurrency` at once; `evaluate` must leave the event loop free, or its lock is lost. */
export async function startQueueWorker<Setup>(options: {
  readonly url: string;
  readonly concurrency: number;
  readonly evaluate: (queued: QueuedJob<Setup>) => Promise<SweepResult>;
  readonly onError: (why: string) => void;
}): Promise<QueueWorker> {
  const { url, concurrency, evaluate, onError } = options;
  const { bull, connect } = await load(url);
  const connection = await connect();
  let done = 0;
  const worker = new bull.Worker(
    QUEUE,
    async (job: { readonly data: QueuedJob<Setup> }) => {
      const result = await evaluate(job.data);
      done++;
      return result;
    },
    {
      connection,
      concurrency,
      lockDuration: LOCK_MS,
      stalledInterval: STALLED_LOOK_MS,
      maxStalledCount: STALLED_MAX,
    },
  );
  worker.on('error', (thrown: unknown) => onError(messageOf(thrown)));
  return {
    get done() {
      return done;
    },
    async close() {
      await worker.close();
      connection.disconnect();
    },
  };
}

/** Both packages, and a way to connect that fails instead of waiting without end. */
async function load(url: string) {
  const [bull, redis] = await Promise.all([import('bullmq'), import('ioredis')]).catch((cause: unknown) => {
    throw new BotError({
      code: 'SWEEP_QUEUE_MISSING',
      message: `expected the packages bullmq and ioredis, but ${whyNotLoaded(cause)}`,
      remedy:
        'Install them (`npm install bullmq ioredis`), or leave --redis out: threads of this machine are used.',
    });
  });
  const connect = async () => {
    const client = new redis.Redis(url, {
      maxRetriesPerRequest: null,
      lazyConnect: true,
      retryStrategy: () => null,
    });
    // Why it does not connect comes here alone; the call says that it is closed.
    let last: unknown;
    client.on('error', (error: unknown) => {
      last = error;
    });
    try {
      await client.connect();
    } catch (closed) {
      client.disconnect();
      const cause = last ?? closed;
      throw new BotError({
        code: 'SWEEP_QUEUE_UNREACHABLE',
        message: `expected a Redis at ${new URL(url).host}, but ${messageOf(cause)}`,
        remedy: 'Start it, or name another one with --redis redis://host:port.',
        cause,
      });
    }
    client.options.retryStrategy = (times: number) => Math.min(times * 200, 2_000);
    return client;
  };
  return { bull, connect };
}
