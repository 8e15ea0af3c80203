/** @module The single-threaded kernel: loads strategies, orders events into turns, routes intents, judges health. */
export { createBot } from './bot.ts';
export type { Bot, BotOptions } from './bot-options.ts';
export { DecisionHash } from './decision-hash.ts';
export { type OutsideFigures, redReasons } from './health.ts';
export { hashOfStrategy, type LoadedStrategy, loadStrategy } from './loader.ts';
export { inMemoryStrategyStore, type StrategyStore } from './ports.ts';
export { createRunCollector, type RunCollector, type RunIdentity } from './run-collector.ts';
export type { Instant, LogEntry } from './run-log/entry.ts';
export { formatEntry, parseEntry } from './run-log/line.ts';
export { createLoggedBot, type LoggedBot } from './run-log/logged-bot.ts';
export { callBot, LoggedBooks } from './run-log/logged-inputs.ts';
export { type Divergence, type ReRunOptions, type ReRunResult, reRun } from './run-log/re-run.ts';
export { RunLog } from './run-log/run-log.ts';
export type { StrategySetup } from './seat.ts';
