/** @module `ballast stop`: ends a run in order, after its positions are closed with `--flatten`, and says how it ended. */
import type { Argv } from 'yargs';
import { BotError } from '../core/index.ts';
import { run } from './terminal/command-process.ts';
import { ACTION_OPTIONS, runNamePosition, showEnd } from './terminal/operate.ts';
import { flagOption, type Given } from './terminal/options.ts';
import { runToChange, stopRun, whoAndWhy } from './terminal/run-actions.ts';

const OPTIONS = {
  flatten: flagOption('Close all positions first; within a minute, or it stays'),
  ...ACTION_OPTIONS,
} as const;

/** Adds `stop` to the command line. */
export function stopCommand(cli: Argv): Argv {
  return cli.command(
    'stop [run]',
    'End a run in order: all orders canceled, and that is proven',
    (one) => one.positional('run', runNamePosition).options(OPTIONS),
    (args) => run(() => stop(args.run, args)),
  );
}

/** The longest that the end of a run is waited for, and the closing of its positions before it, ms. */
const FLAT_MS_MAX = 65_000;
const END_MS_MAX = 90_000;

async function stop(asked: string | undefined, args: Given<typeof OPTIONS>): Promise<number> {
  const found = await runToChange(asked);
  const isFlattening = args.flatten === true;
  const withinMs = END_MS_MAX + (isFlattening ? FLAT_MS_MAX : 0);
  const ended = await stopRun(found, { flatten: isFlattening, ...whoAndWhy(args.reason) }, withinMs);
  if (ended !== undefined) return showEnd(found, ended, args.json);
  throw new BotError({
    code: 'OPERATOR_NOT_ENDED',
    message: `expected run ${found.runId} of ${found.name} to end, got one that has not within ${withinMs / 1000} s`,
    remedy:
      'See `ballast status` and `ballast logs` for what it waits for; positions that cannot be closed keep it.',
  });
}
