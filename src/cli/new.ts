/** @module `ballast new strategy <name>`: a strategy in the project of the current folder, with its test and its files. */
import type { Argv } from 'yargs';
import { ConfigError } from '../core/index.ts';
import { run } from './terminal/command-process.ts';
import { EXIT } from './terminal/exit-codes.ts';
import { type Given, position } from './terminal/options.ts';
import { writeLine } from './terminal/output.ts';
import { TEMPLATES, writeStrategy } from './terminal/templates.ts';

const OPTIONS = {
  template: {
    choices: TEMPLATES,
    default: 'maker' as const,
    describe: 'Start from this strategy',
  },
} as const;

/** Adds `new` to the command line. */
export function newCommand(cli: Argv): Argv {
  return cli.command('new', 'Make a strategy in this folder', (group) =>
    group
      .command(
        'strategy <name>',
        'Make a strategy with test, configuration and study',
        (one) =>
          one.positional('name', position('Name of lower-case letters, digits, dashes')).options(OPTIONS),
        (args) => run(() => newStrategy(args.name, args)),
      )
      .demandCommand(1, 'new: expected a command, got none'),
  );
}

async function newStrategy(name: string, { template }: Given<typeof OPTIONS>): Promise<number> {
  if (!/^[a-z][a-z0-9-]{0,39}$/.test(name))
    throw new ConfigError({
      code: 'CONFIG_STRATEGY_NAME_INVALID',
      message: `expected a name of lower-case letters, digits and dashes, got ${JSON.stringify(name)}`,
      remedy: 'Choose a name like my-maker.',
    });
  const files = await writeStrategy(process.cwd(), { name, template, willBeInstalled: false });
  for (const file of files) writeLine(file);
  writeLine(`Run it with: ballast run configs/${name}.yaml`);
  return EXIT.ok;
}
