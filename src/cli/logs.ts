/** @module `ballast logs`: the newest lines of the log of a run, and with `-f` all that follow until it ends. */
import type { Argv } from 'yargs';
import type { DoorClient, ReadDocuments } from '../bot/operator/index.ts';
import { BotError, formatJson, SystemClock } from '../core/index.ts';
import { run } from './terminal/command-process.ts';
import { EXIT } from './terminal/exit-codes.ts';
import { runNamePosition } from './terminal/operate.ts';
import { flagOption, type Given, jsonOption, textOption, whole } from './terminal/options.ts';
import { writeDocument, writeLine, writeNote } from './terminal/output.ts';
import { runToRead } from './terminal/run-actions.ts';

const OPTIONS = {
  follow: { ...flagOption('Go on with what follows, until the run ends'), alias: 'f' },
  lines: {
    ...textOption('How many lines to begin with'),
    coerce: whole('lines', 1_000),
    default: '50' as unknown as number,
  },
  json: jsonOption,
} as const;

/** Between two questions for what is new, ms. */
const AGAIN_MS = 250;

/** Adds `logs` to the command line. */
export function logsCommand(cli: Argv): Argv {
  return cli.command(
    'logs [run]',
    'Show the log of a run',
    (one) => one.positional('run', runNamePosition).options(OPTIONS),
    (args) => run(() => logs(args.run, args)),
  );
}

async function logs(asked: string | undefined, args: Given<typeof OPTIONS>): Promise<number> {
  const { doorOf } = await import('../bot/operator/index.ts');
  const door = doorOf(await runToRead(asked));
  const first = await door.read('logs', { limit: Math.max(1, args.lines) });
  if (args.lines > 0) show(first, args.json);
  if (args.follow) await follow(door, first.next, args.json);
  return EXIT.ok;
}

/** Until the run has ended, and with it its door. */
async function follow(door: DoorClient, from: number, isJson: boolean | undefined): Promise<void> {
  const clock = new SystemClock();
  for (let after = from; ; ) {
    await new Promise<void>((resolve) => void clock.after(AGAIN_MS, resolve));
    try {
      const page = await door.read('logs', { after, limit: 1_000 });
      show(page, isJson);
      after = page.next;
    } catch (thrown) {
      if (!(thrown instanceof BotError) || thrown.code !== 'OPERATOR_UNREACHABLE') throw thrown;
      return;
    }
  }
}

function show({ entries, missed }: ReadDocuments['logs'], isJson: boolean | undefined): void {
  if (missed > 0) writeNote(`${missed} lines are not kept any more`);
  for (const { atMs, level, message, fields } of entries)
    if (isJson) writeDocument({ atMs, level, message, fields });
    else {
      const more = Object.keys(fields).length === 0 ? '' : ` ${formatJson(fields)}`;
      writeLine(`${new Date(atMs).toISOString()} ${level.padEnd(5)} ${message}${more}`);
    }
}
