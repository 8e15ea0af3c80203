/**
 * @module Carries approved commands through one lane per nonce scope to a proven outcome, journal first; keeps the dead
 * man's switch armed.
 */
export { SWITCH_SETTINGS, type SwitchSettings } from './dead-mans-switch.ts';
export type { EmptyBookProof } from './empty-book.ts';
export { createExecutor } from './executor.ts';
export type { Executor } from './executor-port.ts';
export type { ExecutorOptions, LaneSettings, Timeouts } from './executor-options.ts';
export type { LaneState } from './lane-ports.ts';
export type {
  CommandSigner,
  NoAnswer,
  OutcomeRecord,
  OutgoingWrite,
  RawAnswer,
  ReceiptQuery,
  Signable,
  SignedCommand,
  WriteJournal,
  WritePipe,
  WriteRecord,
} from './ports.ts';
export {
  type DesiredQuotes,
  diffQuotes,
  type NewQuote,
  type QuoteDiff,
  type QuotedOrders,
  type QuoteLevel,
  type QuoteTolerance,
} from './quote-differ.ts';
export type { LaneStatus, StartReport } from './reports.ts';
export {
  createSingleLane,
  type SendOptions,
  type SingleLane,
  type SingleLaneOptions,
  type WriteEnd,
  type WriteTarget,
} from './single-lane.ts';
export { scopeOf } from './start.ts';
export type { JournalStanding } from './startup-check.ts';
