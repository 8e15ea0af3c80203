/** @module The options of `ballast replay`. */
import type { Argv } from 'yargs';
import { run } from './command-process.ts';
import { calibrationOption, flagOption, jsonOption, listOption, runPosition, textOption } from './options.ts';

const OPTIONS = {
  config: textOption('Another configuration than the one that the run kept'),
  set: listOption('Another parameter, as strategy.parameter=value; may be given several times'),
  counterfactual: flagOption('Go on: what would have happened by the fill model, beside what did'),
  calibration: calibrationOption,
  json: jsonOption,
} as const;

/** Adds `replay` to the command line. */
export function replayCommand(cli: Argv): Argv {
  return cli.command(
    'replay <run>',
    'Run the strategies of a recorded run again and compare every decision',
    (one) =>
      one
        .positional('run', runPosition)
        .options(OPTIONS)
        .check(({ calibration, counterfactual }) => {
          if (calibration !== undefined && !counterfactual)
            throw new Error('--calibration: expected --counterfactual beside it, found none');
          return true;
        }),
    (args) =>
      run(async () =>
        (await import('./commands/replay.ts')).replay({
          folder: args.run,
          config: args.config,
          set: args.set ?? [],
          isCounterfactual: args.counterfactual,
          calibration: args.calibration,
          isJson: args.json,
        }),
      ),
  );
}
