/** @module The options of `ballast record`. */
import type { Argv } from 'yargs';
import { checked, run } from './command-process.ts';
import { configPosition, forOption, jsonOption, neededOption, seedOption, verboseOption } from './options.ts';

/** Adds `record` to the command line. */
export function recordCommand(cli: Argv): Argv {
  return cli.command(
    'record <config>',
    'Record the markets of a configuration as a tape: streams only, no account, no orders',
    (one) =>
      one.positional('config', configPosition).options({
        out: neededOption('Folder of the tape; must not hold one'),
        mode: {
          choices: ['live', 'sim'] as const,
          describe:
            'live records environment.baseUrl, sim an exchange of its own; by default live where there is a base URL',
        },
        for: forOption,
        json: jsonOption,
        seed: seedOption,
        verbose: verboseOption,
      }),
    (args) =>
      run(async () => {
        const config = await checked(args.config);
        return (await import('./commands/record.ts')).record({
          config,
          out: args.out,
          mode: args.mode,
          forMs: args.for,
          isJson: args.json,
          seed: args.seed,
          isVerbose: args.verbose,
        });
      }),
  );
}
