/** @module The options of `ballast replay`. */
import type { Argv } from 'yargs';
import { jsonOption, run } from './options.ts';

const OPTIONS = {
  config: {
    type: 'string',
    requiresArg: true,
    describe: 'Another configuration than the one that the run kept',
  },
  set: {
    type: 'string',
    array: true,
    requiresArg: true,
    describe: 'Another parameter, as strategy.parameter=value; may be given several times',
  },
  counterfactual: {
    type: 'boolean',
    default: false,
    describe: 'Go on: what would have happened by the fill model, beside what did',
  },
  json: jsonOption,
} as const;

/** Adds `replay` to the command line. */
export function replayCommand(cli: Argv): Argv {
  return cli.command(
    'replay <run>',
    'Run the strategies of a recorded run again and compare every decision',
    (one) =>
      one
        .positional('run', {
          type: 'string',
          demandOption: true,
          describe: 'Folder of the run, below record.folder',
        })
        .options(OPTIONS),
    (args) =>
      run(async () =>
        (await import('./commands/replay.ts')).replay({
          folder: args.run,
          config: args.config,
          set: args.set ?? [],
          isCounterfactual: args.counterfactual,
          isJson: args.json,
        }),
      ),
  );
}
