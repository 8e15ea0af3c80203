/** @module `ballast resume`: lets a run, a market or a strategy trade again, also after a halt that waits for a person. */
import type { Argv } from 'yargs';
import { run } from './terminal/command-process.ts';
import { ACTION_OPTIONS, act, runNamePosition, SCOPE_OPTIONS } from './terminal/operate.ts';
import { neededOption } from './terminal/options.ts';

const OPTIONS = {
  ...SCOPE_OPTIONS,
  ...ACTION_OPTIONS,
  reason: neededOption('Why it may trade again, for the journal'),
} as const;

/** Adds `resume` to the command line. */
export function resumeCommand(cli: Argv): Argv {
  return cli.command(
    'resume [run]',
    'Let it trade again, also after a halt by a control',
    (one) => one.positional('run', runNamePosition).options(OPTIONS),
    (args) => run(() => act('resume', args, { strategy: args.strategy, market: args.market })),
  );
}
