/** @module The options of `ballast sweep`. */
import type { Argv } from 'yargs';
import { checked, run } from './command-process.ts';
import {
  calibrationOption,
  configPosition,
  jsonOption,
  seedOption,
  tapeFolderOption,
  textOption,
  whole,
} from './options.ts';

const OPTIONS = {
  tape: tapeFolderOption,
  out: {
    ...textOption('Folder of the results; a sweep that was ended goes on there'),
    default: '.ballast/sweep',
  },
  workers: {
    ...textOption('Threads on this machine; default one for each core'),
    coerce: whole('workers', 1024),
  },
  redis: {
    ...textOption('Run on the workers of this Redis (redis://host:port) instead: ballast worker'),
    conflicts: ['workers'],
  },
  seed: { ...seedOption, describe: 'Seed of every backtest; default that of the configuration' },
  calibration: calibrationOption,
  json: jsonOption,
} as const;

/** Adds `sweep` to the command line. */
export function sweepCommand(cli: Argv): Argv {
  return cli.command(
    'sweep <config>',
    'Try the parameters of the section sweep over a tape; table, CSV and heat map',
    (one) => one.positional('config', configPosition).options(OPTIONS),
    (args) =>
      run(async () => {
        await checked(args.config);
        return (await import('./commands/sweep.ts')).sweep({
          config: args.config,
          tape: args.tape,
          out: args.out,
          workers: args.workers,
          redis: args.redis,
          seed: args.seed,
          calibration: args.calibration,
          isJson: args.json,
        });
      }),
  );
}
