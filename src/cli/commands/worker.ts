/** @module `ballast worker`: backtests of sweeps on this machine, handed out over Redis. */
import { availableParallelism } from 'node:os';
import { listenForStop } from '../../bot/live/index.ts';
import { SystemClock } from '../../core/index.ts';
import { createLog } from '../../core/telemetry/index.ts';
import { startSweepWorker } from '../compose/index.ts';
import { EXIT } from '../exit-codes.ts';
import { writeDocument, writeLine } from '../output.ts';

/** What `worker` takes. */
export interface WorkerCommandOptions {
  readonly redis: string;
  readonly workers: number | undefined;
  readonly forMs: number | undefined;
  readonly isJson: boolean;
}

/** Works until it is stopped; jobs that run are finished first. */
export async function worker(options: WorkerCommandOptions): Promise<number> {
  const { redis, forMs, isJson } = options;
  const clock = new SystemClock();
  const { log } = createLog({ level: 'info', file: undefined, isPretty: process.stderr.isTTY === true });
  const stop = listenForStop(clock, { forMs });
  const running = await startSweepWorker({
    ...{ url: redis, log },
    workers: options.workers ?? availableParallelism(),
  });
  log.info('waiting for backtests', { redis: new URL(redis).host });
  const reason = await stop.requested;
  await running.close();
  if (isJson) writeDocument({ done: running.done });
  else writeLine(`${running.done} backtests done`);
  if (reason.by !== 'signal') return EXIT.ok;
  return reason.signal === 'SIGINT' ? EXIT.sigint : EXIT.sigterm;
}
