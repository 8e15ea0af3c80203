/**
 * @module
 * Says again and again what is halted until a person resumes it: a run that trades no more must not look like one that has
 * nothing to do.
 */
import type { Clock, Log } from '../../../core/index.ts';
import type { Bot, BotStatus, HaltStatus } from '../../kernel/index.ts';
import { LANE_HOLDER } from '../../risk/index.ts';
import { SIGNER_DOWN } from '../start/fatal-halts.ts';

/** How often it looks, and how often it repeats itself, ms. */
const LOOK_MS = 1_000;
const REPEAT_MS = 60_000;

/** Begins to look; gives the function that ends it. */
export function watchHalts(options: HaltWatchOptions, bot: Pick<Bot, 'status'>): () => void {
  const { clock, log } = options;
  let said = '';
  let saidAtMs = 0;
  const timer = clock.every(LOOK_MS, () => {
    const status = bot.status();
    // The lane of a signer that is down is given back without a person; the signer says so itself.
    const halts = status.halts.filter(({ reason }) => !reason.includes(`: ${SIGNER_DOWN}: `));
    const text = JSON.stringify(halts);
    const isDue = clock.monotonicMs() - saidAtMs >= REPEAT_MS;
    if (halts.length === 0 || (text === said && !isDue)) return;
    said = text;
    saidAtMs = clock.monotonicMs();
    for (const halt of halts)
      log.error(`${halt.scope} is halted by ${halt.control} until a person resumes it`, {
        cause: halt.reason,
        resume: `see to the cause, ${wayOut(halt, status, options)}`,
      });
  });
  return () => timer.cancel();
}

/** What lets the scope trade again. A lane that has halted is given back by a new start alone. */
function wayOut(
  { control, scope }: HaltStatus,
  { strategies, markets }: Pick<BotStatus, 'strategies' | 'markets'>,
  { name, file }: HaltWatchOptions,
): string {
  if (name === undefined || control.startsWith(LANE_HOLDER))
    return `stop this run, then start it again: ballast run ${file}`;
  const isMarket = markets.some(({ symbol }) => symbol === scope);
  const isStrategy = strategies.some(({ id }) => id === scope);
  const part = isMarket ? ` --market ${scope}` : isStrategy ? ` --strategy ${scope}` : '';
  return `then: ballast resume ${name}${part} --reason "..."`;
}

/** What the watch works with. */
export interface HaltWatchOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** Name of the bot by which commands reach it; absent: they do not. */
  readonly name?: string | undefined;
  /** The configuration of the run. */
  readonly file: string;
}
