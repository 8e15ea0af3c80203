/** @module The options of `ballast backtest`. */
import type { Argv } from 'yargs';
import { checked, run } from './command-process.ts';
import {
  calibrationOption,
  configPosition,
  instant,
  jsonOption,
  seedOption,
  tapeFolderOption,
  textOption,
  verboseOption,
} from './options.ts';
import { htmlOption, outOption } from './report-options.ts';

const OPTIONS = {
  tape: tapeFolderOption,
  from: {
    ...textOption('Begin at this time of the exchange, such as 2026-01-06T08:00:00Z'),
    coerce: instant('from'),
  },
  to: { ...textOption('End at this time, as --from'), coerce: instant('to') },
  seed: { ...seedOption, describe: 'Seed of chance; default that of the configuration' },
  calibration: calibrationOption,
  html: htmlOption,
  out: outOption,
  json: jsonOption,
  verbose: verboseOption,
} as const;

/** Adds `backtest` to the command line. */
export function backtestCommand(cli: Argv): Argv {
  return cli.command(
    'backtest <config>',
    'Run the strategies of a configuration over a tape, against the exchange of its section paper',
    (one) => one.positional('config', configPosition).options(OPTIONS),
    (args) =>
      run(async () => {
        // Held against its schema before the rooms that trade are loaded, which takes longer than all else.
        await checked(args.config);
        return (await import('./commands/backtest.ts')).backtest({
          config: args.config,
          tape: args.tape,
          fromMs: args.from,
          toMs: args.to,
          seed: args.seed,
          calibration: args.calibration,
          html: args.html,
          out: args.out,
          isJson: args.json,
          isVerbose: args.verbose,
        });
      }),
  );
}
