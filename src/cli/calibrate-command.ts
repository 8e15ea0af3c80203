/** @module The options of `ballast calibrate`. */
import type { Argv } from 'yargs';
import { run } from './command-process.ts';
import { jsonOption, runPosition, textOption } from './options.ts';

const OPTIONS = {
  tape: textOption('Folder of a tape of its market; default the one that the run recorded'),
  out: textOption(
    'Write the calibration to this file, for --calibration of backtest, paper, sweep and replay',
  ),
  json: jsonOption,
} as const;

/** Adds `calibrate` to the command line. */
export function calibrateCommand(cli: Argv): Argv {
  return cli.command(
    'calibrate <run>',
    'Estimate fill model and latency from the own orders of a run, with the error out of sample',
    (one) => one.positional('run', runPosition).options(OPTIONS),
    (args) =>
      run(async () =>
        (await import('./commands/calibrate.ts')).calibrate({
          folder: args.run,
          tape: args.tape,
          out: args.out,
          isJson: args.json,
        }),
      ),
  );
}
