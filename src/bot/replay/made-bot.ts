/**
 * @module
 * The bot of a run, with the log of the run around it when one is kept.
 */
import { VERSION } from '../../core/index.ts';
import type { LaneId } from '../../domain/index.ts';
import { type BotOptions, createBot } from '../kernel/index.ts';
import type { PreparedStrategy } from '../setup/index.ts';
import { createLoggedBot, type LoggedBot } from './logged-bot.ts';
import { RUN_LOG_SCHEMA, type RunLogHeader, type RunLogWriter } from './run-log-file.ts';

/** A log to be kept, and what its header says that the bot does not know. */
export interface KeptLog {
  readonly writer: RunLogWriter;
  readonly about: Pick<RunLogHeader, 'mode' | 'seed' | 'config' | 'collateralDecimals'>;
  readonly strategies: readonly PreparedStrategy[];
}

/** Makes the bot; `kept` absent: nothing is logged. */
export function makeBot(options: BotOptions, kept: KeptLog | undefined): Omit<LoggedBot, 'madeAt'> {
  if (kept === undefined) {
    const bot = createBot(options);
    return { bot, risk: options.risk, recallOwners: (orders) => bot.account.recallOwners(orders) };
  }
  const made = createLoggedBot(options, kept.writer.log);
  kept.writer.begin({
    schema: RUN_LOG_SCHEMA,
    version: VERSION,
    runId: options.runId,
    ...kept.about,
    strategies: options.strategies.map(({ id, symbols, lane }, at) => ({
      id,
      file: kept.strategies[at]?.file ?? '',
      sha256: kept.strategies[at]?.sha256 ?? '',
      symbols,
      lane,
    })),
    operatorLane: options.operatorLane satisfies LaneId | undefined,
    madeAt: made.madeAt,
    isProving: options.proveEmptyBook !== undefined,
  });
  return made;
}
