/** @module `ballast worker`: backtests of sweeps on this machine, handed out over Redis. */
import { availableParallelism } from 'node:os';
import type { Argv } from 'yargs';
import { SystemClock } from '../core/index.ts';
import { run } from './terminal/command-process.ts';
import { exitCodeOfStop } from './terminal/exit-codes.ts';
import { durationOption, type Given, jsonOption, textOption, urlOption, whole } from './terminal/options.ts';
import { writeDocument, writeLine } from './terminal/output.ts';

const OPTIONS = {
  redis: {
    ...urlOption('redis', 'Take backtests from this Redis', 'redis'),
    default: 'redis://127.0.0.1:6379',
  },
  workers: {
    ...textOption('Run this many backtests at once (default: one per core)'),
    coerce: whole('workers', 1024, 1),
  },
  duration: durationOption,
  json: jsonOption,
} as const;

/** Adds `worker` to the command line. */
export function workerCommand(cli: Argv): Argv {
  return cli.command(
    'worker',
    'Run backtests for sweeps started with --redis',
    (one) => one.options(OPTIONS),
    (args) => run(() => worker(args)),
  );
}

/** Works until it is stopped; jobs that run are finished first. */
async function worker({ redis, workers, duration, json }: Given<typeof OPTIONS>): Promise<number> {
  const { createLog } = await import('../core/telemetry/index.ts');
  const { listenForStop } = await import('../bot/live/index.ts');
  const { startSweepWorker } = await import('../research/sweep/index.ts');
  const log = createLog({ level: 'info', file: undefined, isPretty: process.stderr.isTTY === true });
  const stop = listenForStop(new SystemClock(), { forMs: duration });
  const running = await startSweepWorker({
    ...{ url: redis, log },
    workers: workers ?? availableParallelism(),
  });
  log.info('waiting for backtests', { redis: new URL(redis).host });
  const reason = await stop.requested;
  await running.close();
  if (json) writeDocument({ done: running.done });
  else writeLine(`${running.done} backtests done`);
  return exitCodeOfStop(reason);
}
