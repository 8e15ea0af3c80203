/** @module `ballast journal`: copies of what a bot knows of its writes. */
import type { Argv } from 'yargs';
import { columns } from './terminal/columns.ts';
import { configured, run } from './terminal/command-process.ts';
import { EXIT } from './terminal/exit-codes.ts';
import { configPosition, jsonOption, position } from './terminal/options.ts';
import { writeDocument, writeLine } from './terminal/output.ts';

/** Adds `journal` to the command line. */
export function journalCommand(cli: Argv): Argv {
  return cli.command('journal', 'Back up the journals of a configuration, and restore them', (group) =>
    group
      .command(
        'backup <config> <folder>',
        'Copy the journals to a new folder, also while a run writes',
        (one) =>
          one
            .positional('config', configPosition)
            .positional('folder', position('New folder for the copies'))
            .options({ json: jsonOption }),
        (args) => run(() => copy('backUp', args)),
      )
      .command(
        'restore <config> <folder>',
        'Put copies back where no journal is',
        (one) =>
          one
            .positional('config', configPosition)
            .positional('folder', position('Folder with the copies'))
            .options({ json: jsonOption }),
        (args) => run(() => copy('restore', args)),
      )
      .demandCommand(1, 'expected a command of journal, got none'),
  );
}

async function copy(
  way: 'backUp' | 'restore',
  args: { readonly config: string; readonly folder: string; readonly json: boolean | undefined },
): Promise<number> {
  const { config } = await configured(args.config);
  const { backUp, restore } = await import('../bot/live/index.ts');
  const copies = (way === 'backUp' ? backUp : restore)(config, args.folder);
  if (args.json) writeDocument({ schema: 1, journals: copies });
  else
    writeLine(
      columns([
        ['BOT', 'RECORDS', 'JOURNAL'],
        ...copies.map(({ instance, records, name }) => [instance, `${records}`, name]),
      ]),
    );
  return EXIT.ok;
}
