/** @module A thread that runs the schedules that it is sent, batch by batch. */
import { parentPort } from 'node:worker_threads';
import { runSchedule } from './run-schedule.ts';
import { scheduleOf } from './schedule.ts';

/** What a thread is sent, and what it sends back: the outcomes in order. */
export interface Batch {
  readonly number: number;
  readonly ids: readonly string[];
}

parentPort?.on('message', async ({ number, ids }: Batch) => {
  const outcomes = [];
  for (const id of ids) outcomes.push(await runSchedule(scheduleOf(id) ?? []));
  parentPort?.postMessage({ number, outcomes });
});
