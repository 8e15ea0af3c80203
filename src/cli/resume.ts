/** @module `ballast resume`: lets a run, a market or a strategy trade again, also after a halt that waits for a person. */
import type { Argv } from 'yargs';
import type { ListedRun } from '../bot/operator/index.ts';
import { BotError } from '../core/index.ts';
import { run } from './terminal/command-process.ts';
import { ACTION_OPTIONS, act, runNamePosition, SCOPE_OPTIONS } from './terminal/operate.ts';
import type { Given } from './terminal/options.ts';
import { runToChange } from './terminal/run-actions.ts';

const OPTIONS = {
  ...SCOPE_OPTIONS,
  ...ACTION_OPTIONS,
  reason: { ...ACTION_OPTIONS.reason, describe: 'Why it may trade again, for the journal (needed)' },
} as const;

/** Adds `resume` to the command line. */
export function resumeCommand(cli: Argv): Argv {
  return cli.command(
    'resume [run]',
    'Let it trade again, also after a halt by a control',
    (one) => one.positional('run', runNamePosition).options(OPTIONS),
    (args) => run(() => resume(args)),
  );
}

async function resume(args: Given<typeof OPTIONS> & { readonly run?: string | undefined }): Promise<number> {
  const { strategy, market, reason } = args;
  if ((reason ?? '').trim() === '')
    throw await reasonMissing(await runToChange(args.run), { strategy, market });
  return await act('resume', args, { strategy, market });
}

/** Names what is halted, so that the reason can be about it; a run that does not answer names nothing. */
async function reasonMissing(
  found: ListedRun,
  scope: Readonly<Record<'strategy' | 'market', string | undefined>>,
): Promise<BotError> {
  const { doorOf } = await import('../bot/operator/index.ts');
  let halted = 'nothing is halted';
  try {
    const { halts } = await doorOf(found).read('status');
    const texts = halts.map(({ scope: of, control, reason }) => `${of} by ${control}, ${reason}`);
    if (texts.length > 0) halted = `halted are: ${texts.join('; ')}`;
  } catch (thrown) {
    if (!(thrown instanceof BotError)) throw thrown;
    halted = 'it does not say what is halted';
  }
  const part = Object.entries(scope).flatMap(([name, value]) =>
    value === undefined ? [] : [` --${name} ${value}`],
  );
  return new BotError({
    code: 'OPERATOR_REASON_MISSING',
    message: `expected why run ${found.runId} of ${found.name} may trade again, for its journal, got no --reason; ${halted}`,
    remedy: 'See to the cause, then say in --reason what it was and what was done.',
    details: { command: `ballast resume ${found.name}${part.join('')} --reason "..."` },
  });
}
