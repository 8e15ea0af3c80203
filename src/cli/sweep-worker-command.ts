/** @module The options of `ballast worker`. */
import type { Argv } from 'yargs';
import { run } from './command-process.ts';
import { forOption, jsonOption, textOption, whole } from './options.ts';

const OPTIONS = {
  redis: { ...textOption('The Redis of the queue'), default: 'redis://127.0.0.1:6379' },
  workers: { ...textOption('Backtests at once; default one for each core'), coerce: whole('workers', 1024) },
  for: forOption,
  json: jsonOption,
} as const;

/** Adds `worker` to the command line. */
export function workerCommand(cli: Argv): Argv {
  return cli.command(
    'worker',
    'Do the backtests of sweeps that were started with --redis, until it is stopped',
    (one) => one.options(OPTIONS),
    (args) =>
      run(async () =>
        (await import('./commands/worker.ts')).worker({
          redis: args.redis,
          workers: args.workers,
          forMs: args.for,
          isJson: args.json,
        }),
      ),
  );
}
