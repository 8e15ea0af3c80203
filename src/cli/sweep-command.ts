/** @module The options of `ballast sweep`. */
import type { Argv } from 'yargs';
import { loadConfig } from '../config/index.ts';
import { jsonOption, run, seedOption, whole } from './options.ts';

const OPTIONS = {
  tape: { type: 'string', requiresArg: true, demandOption: true, describe: 'Folder of the tape' },
  out: {
    type: 'string',
    requiresArg: true,
    default: '.ballast/sweep',
    describe: 'Folder of the results; a sweep that was ended goes on there',
  },
  workers: {
    type: 'string',
    requiresArg: true,
    coerce: whole('workers', 1024),
    describe: 'Threads on this machine; default one for each core',
  },
  redis: {
    type: 'string',
    requiresArg: true,
    conflicts: ['workers'],
    describe: 'Run on the workers of this Redis (redis://host:port) instead: ballast worker',
  },
  seed: { ...seedOption, describe: 'Seed of every backtest; default that of the configuration' },
  json: jsonOption,
} as const;

/** Adds `sweep` to the command line. */
export function sweepCommand(cli: Argv): Argv {
  return cli.command(
    'sweep <config>',
    'Try the parameters of the section sweep over a tape; table, CSV and heat map',
    (one) =>
      one
        .positional('config', { type: 'string', demandOption: true, describe: 'YAML file' })
        .options(OPTIONS),
    (args) =>
      run(async () => {
        loadConfig(args.config);
        return (await import('./commands/sweep.ts')).sweep({
          config: args.config,
          tape: args.tape,
          out: args.out,
          workers: args.workers,
          redis: args.redis,
          seed: args.seed,
          isJson: args.json,
        });
      }),
  );
}
