/**
 * @module
 * The thread of a sweep: takes jobs as messages, answers each with its result. Started by the pool of `backtest`.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { must } from '../../core/index.ts';
import { type JobEvaluator, openEvaluator, type SweepSetup } from './sweep-job.ts';
import type { SweepJob } from './types.ts';

const port = must(parentPort, 'the port of a thread');
const evaluator: Promise<JobEvaluator> = openEvaluator(workerData as SweepSetup);
// An error is reported with the first job; no caller waits for it before.
evaluator.catch(() => undefined);

port.on('message', (job: SweepJob) => {
  evaluator.then(
    (evaluate) => port.postMessage(evaluate(job)),
    (thrown: unknown) => {
      throw thrown;
    },
  );
});
