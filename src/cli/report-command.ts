/** @module The options of `ballast report` and `ballast report diff`. */
import type { Argv } from 'yargs';
import { run } from './command-process.ts';
import { flagOption, jsonOption, position } from './options.ts';
import { htmlOption } from './report-options.ts';

const RUN = position('Folder of a run');

/** Adds `report` to the command line. */
export function reportCommand(cli: Argv): Argv {
  return cli.command('report', 'Show what a run has come to, or hold two runs side by side', (group) =>
    group
      .command(
        '$0 <run>',
        'Show the figures of a run',
        (one) => one.positional('run', RUN).options({ html: htmlOption, json: jsonOption }),
        (args) =>
          run(async () =>
            (await import('./commands/report.ts')).report({
              run: args.run,
              html: args.html,
              isJson: args.json,
            }),
          ),
      )
      .command(
        'diff <a> <b>',
        'Hold run b against run a: what they are made of, figures, the first fill that differs',
        (one) =>
          one
            .positional('a', RUN)
            .positional('b', RUN)
            .options({
              'exit-code': flagOption('End with 1 when a figure or a fill differs'),
              json: jsonOption,
            }),
        (args) =>
          run(async () =>
            (await import('./commands/report.ts')).reportDiff({
              a: args.a,
              b: args.b,
              isStrict: args['exit-code'],
              isJson: args.json,
            }),
          ),
      ),
  );
}
