/** @module `ballast stop`: ends a run in order, after its positions are closed with `--flatten`, and says how it ended. */
import type { Argv } from 'yargs';
import type { ListedRun } from '../bot/operator/index.ts';
import { BotError, SystemClock } from '../core/index.ts';
import { run } from './terminal/command-process.ts';
import { EXIT } from './terminal/exit-codes.ts';
import { ACTION_OPTIONS, ownRuns, runNamePosition, runToChange, whoAndWhy } from './terminal/operate.ts';
import { flagOption, type Given } from './terminal/options.ts';
import { writeDocument, writeLine } from './terminal/output.ts';

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

/** Between two looks whether the run has ended, and the longest that its end is waited for, ms. */
const LOOK_MS = 200;
const FLAT_MS_MAX = 65_000;
const END_MS_MAX = 90_000;

async function stop(asked: string | undefined, args: Given<typeof OPTIONS>): Promise<number> {
  const { doorOf } = await import('../bot/operator/index.ts');
  const found = await runToChange(asked);
  const isFlattening = args.flatten === true;
  await doorOf(found).act('stop', { flatten: isFlattening, ...whoAndWhy(args.reason) });
  const ended = await endOf(found, END_MS_MAX + (isFlattening ? FLAT_MS_MAX : 0));
  const { runId, name } = found;
  if (args.json) writeDocument({ schema: 1, runId, name, ended });
  else
    writeLine(
      `stop       ${name} (${runId}) has ended: ${ended.reason}\n${ended.isProven ? 'no order is open, proven' : 'it is not proven that no order is open'}`,
    );
  return ended.isProven ? EXIT.ok : EXIT.failure;
}

/** @throws BotError `OPERATOR_RUN_GOES_ON`. */
async function endOf(found: ListedRun, withinMs: number): Promise<NonNullable<ListedRun['ended']>> {
  const { findRun, stateOf } = await import('../bot/operator/index.ts');
  const folder = await ownRuns();
  const clock = new SystemClock();
  const untilMs = clock.monotonicMs() + withinMs;
  // In this order: of a run whose process is gone the list says the last word.
  let state = await stateOf(found);
  for (;;) {
    const { ended } = findRun(folder, found.runId);
    if (ended !== undefined) return ended;
    if (state === 'died' || clock.monotonicMs() >= untilMs) break;
    await new Promise<void>((resolve) => void clock.after(LOOK_MS, resolve));
    state = await stateOf(found);
  }
  throw new BotError({
    code: 'OPERATOR_NOT_ENDED',
    message: `expected run ${found.runId} of ${found.name} to end, got one that is ${state} after ${withinMs / 1000} s`,
    remedy:
      'See `ballast status` and `ballast logs` for what it waits for; positions that cannot be closed keep it.',
  });
}
