/** @module `ballast set`: gives a running strategy another value of a parameter. */
import type { Argv } from 'yargs';
import { run } from './terminal/command-process.ts';
import { ACTION_OPTIONS, act, runNamePosition } from './terminal/operate.ts';
import { position } from './terminal/options.ts';

/** Adds `set` to the command line. */
export function setCommand(cli: Argv): Argv {
  return cli.command(
    'set <assignment> [run]',
    'Change a parameter of a running strategy',
    (one) =>
      one
        .positional('assignment', position('strategy.parameter=value, such as maker.size=0.01'))
        .positional('run', runNamePosition)
        .options(ACTION_OPTIONS)
        .check(({ assignment }) => {
          if (partsOf(assignment) !== undefined) return true;
          throw new Error(`expected strategy.parameter=value, got "${assignment}"`);
        }),
    (args) => run(() => act('set', args, partsOf(args.assignment) ?? {})),
  );
}

function partsOf(assignment: string): { readonly parameter: string; readonly value: string } | undefined {
  const { parameter, value } = /^(?<parameter>[^.=]+\.[^=]+)=(?<value>.*)$/s.exec(assignment)?.groups ?? {};
  return parameter === undefined || value === undefined ? undefined : { parameter, value };
}
