/** @module The log of a run, and the run made again from it. */
export { DecisionHash } from './decision-hash.ts';
export type { LogEntry } from './entry.ts';
export { formatEntry, parseEntry } from './line.ts';
export { type KeptLog, type LoggedBot, makeBot } from './logged-bot.ts';
export { callBot, LoggedBooks } from './logged-inputs.ts';
export { reRun } from './re-run.ts';
export {
  type ReplayOptions,
  type ReplayReport,
  replayRun,
  reRunOptionsOf,
  withParameters,
} from './replay.ts';
export { type RunCode, sourceOfRun } from './run-code.ts';
export {
  openRunLog,
  RUN_LOG_FILE,
  type RunLogHeader,
  type RunLogReader,
  type RunLogWriter,
  readRunLog,
} from './run-log-file.ts';
