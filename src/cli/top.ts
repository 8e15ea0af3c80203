/**
 * @module
 * `ballast top`: the figures of the dashboard on a terminal, drawn again in place each second. It leaves the terminal as it
 * was, however it ends.
 */
import type { Argv } from 'yargs';
import type { DoorClient, FeedMessage, ListedRun } from '../bot/operator/index.ts';
import { BotError, SystemClock } from '../core/index.ts';
import { run } from './terminal/command-process.ts';
import { EXIT } from './terminal/exit-codes.ts';
import { runNamePosition, showEnd } from './terminal/operate.ts';
import { flagOption, jsonOption } from './terminal/options.ts';
import { writeDocument, writeLine } from './terminal/output.ts';
import { endOf, runToRead } from './terminal/run-actions.ts';
import { openScreen } from './terminal/screen.ts';
import { topLines } from './terminal/top-view.ts';

const OPTIONS = {
  once: flagOption('Write the figures once and end, as in a pipe'),
  json: jsonOption,
} as const;

const REDRAW_MS = 1_000;
/** The end of a run that does not answer any more is on the list within this time, ms. */
const END_MS_MAX = 3_000;
/** Of figures that go to a file. */
const PLAIN = { columns: 120, rows: 60 };

/** Adds `top` to the command line. */
export function topCommand(cli: Argv): Argv {
  return cli.command(
    'top [run]',
    'Watch a run on the terminal: the figures of its dashboard',
    (one) => one.positional('run', runNamePosition).options(OPTIONS),
    (args) => run(() => top(args.run, { isOnce: args.once === true, isJson: args.json === true })),
  );
}

async function top(
  asked: string | undefined,
  { isOnce, isJson }: { readonly isOnce: boolean; readonly isJson: boolean },
): Promise<number> {
  const { doorOf } = await import('../bot/operator/index.ts');
  const found = await runToRead(asked);
  const door = doorOf(found);
  if (!isOnce && !isJson && process.stdout.isTTY === true) return await watch(door, found);
  const message = await door.read('view');
  if (isJson) writeDocument({ schema: 1, runId: found.runId, name: found.name, ...message });
  else writeLine(topLines(message, PLAIN).join('\n'));
  return EXIT.ok;
}

/** Until a person or a signal ends it, or the run. */
async function watch(door: DoorClient, found: ListedRun): Promise<number> {
  const clock = new SystemClock();
  const screen = openScreen();
  let message: FeedMessage | undefined;
  let silentSinceMs: number | undefined;
  const draw = (): void => {
    const silence = silentSinceMs === undefined ? undefined : clock.monotonicMs() - silentSinceMs;
    screen.draw(message === undefined ? ['…'] : topLines(message, screen.size(), silence));
  };
  try {
    while (!screen.isEnded()) {
      try {
        message = await door.read('view', {}, 2 * REDRAW_MS);
        silentSinceMs = undefined;
      } catch (thrown) {
        if (!(thrown instanceof BotError)) throw thrown;
        silentSinceMs ??= clock.monotonicMs();
        draw();
        const ended = await endOf(found, END_MS_MAX);
        if (ended === undefined) continue;
        screen.close();
        return showEnd(found, ended, false);
      }
      draw();
      await screen.waited(clock, REDRAW_MS, draw);
    }
    return EXIT.ok;
  } finally {
    screen.close();
  }
}
