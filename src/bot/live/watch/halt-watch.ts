/**
 * @module
 * Says again and again what is halted until a person resumes it: a run that trades no more must not look like one that has
 * nothing to do.
 */
import type { Clock, Log } from '../../../core/index.ts';
import type { Bot } from '../../kernel/index.ts';

/** How often it looks, and how often it repeats itself, ms. */
const LOOK_MS = 1_000;
const REPEAT_MS = 60_000;

/** Begins to look; gives the function that ends it. */
export function watchHalts({ clock, log, file }: HaltWatchOptions, bot: Pick<Bot, 'status'>): () => void {
  let said = '';
  let saidAtMs = 0;
  const timer = clock.every(LOOK_MS, () => {
    const { halts } = bot.status();
    const text = JSON.stringify(halts);
    const isDue = clock.monotonicMs() - saidAtMs >= REPEAT_MS;
    if (halts.length === 0 || (text === said && !isDue)) return;
    said = text;
    saidAtMs = clock.monotonicMs();
    for (const { control, scope, reason } of halts)
      log.error(`${scope} is halted by ${control} until a person resumes it`, {
        cause: reason,
        resume: `see to the cause, stop this run, then start it again: ballast run ${file}`,
      });
  });
  return () => timer.cancel();
}

/** What the watch works with. */
export interface HaltWatchOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** The configuration of the run. */
  readonly file: string;
}
