/** @module The single-threaded kernel: loads strategies, orders events into turns, routes intents, judges health. */
export { createBot } from './bot.ts';
export { type Bot, type BotOptions, RECENT_FILLS_MAX } from './bot-options.ts';
export { DecisionHash, type DecisionHashSources } from './decision-hash.ts';
export type { DecisionTap } from './decisions.ts';
export type { StopReport } from './ending.ts';
export { OPERATOR } from './flattener.ts';
export {
  type Health,
  type HealthFigures,
  type HealthItem,
  judgeHealth,
  NOTHING_OUTSIDE,
  type OutsideFigures,
  type QueueDepth,
  redReasons,
} from './health.ts';
export { Inbox } from './inbox.ts';
export { INTENT_CODES, type IntentCode } from './intent-codes.ts';
export type { Instruction } from './kill-switch.ts';
export type { RunState } from './lifecycle.ts';
export { type ImportModule, type LoadedStrategy, loadStrategy } from './loader.ts';
export { inMemoryStrategyStore, type QuoteDiffer, type QuoteLevel, type StrategyStore } from './ports.ts';
export type { AuditLevel } from './recorder.ts';
export {
  createRunCollector,
  type RunCollector,
  type RunCollectorOptions,
  type RunIdentity,
  SAMPLE_PERIOD_MS,
} from './run-collector.ts';
export type {
  BookCopy,
  CallName,
  DecisionKind,
  Instant,
  LogEntry,
  LogEvent,
} from './run-log/entry.ts';
export { formatEntry, parseEntry } from './run-log/line.ts';
export { createLoggedBot, type LoggedBot } from './run-log/logged-bot.ts';
export { callBot, LoggedBooks } from './run-log/logged-inputs.ts';
export {
  type Decision,
  type Divergence,
  type ReRunOptions,
  type ReRunResult,
  reRun,
} from './run-log/re-run.ts';
export { RunLog } from './run-log/run-log.ts';
export { INTENTS_PER_CALL_MAX, type SeatState, type StrategySetup } from './seat.ts';
export type {
  BotStatus,
  FillStatus,
  MarketStatus,
  OrderStatus,
  PnlText,
  StrategyStatus,
} from './status.ts';
