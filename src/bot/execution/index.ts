/**
 * @module Carries approved commands through one lane per nonce scope to a proven outcome, journal first; keeps the dead
 * man's switch armed.
 */
export type { SwitchSettings } from './dead-mans-switch.ts';
export type { EmptyBookProof } from './empty-book.ts';
export { createExecutor } from './executor.ts';
export type { LaneSettings } from './executor-options.ts';
export type { Executor } from './executor-port.ts';
export type { CommandSigner, NoAnswer, OutgoingWrite, RawAnswer, ReceiptQuery, WritePipe } from './ports.ts';
export { diffQuotes } from './quote-differ.ts';
export type { LaneStatus } from './reports.ts';
export {
  createSingleLane,
  type OutcomeRecord,
  type SingleLane,
  type WriteEnd,
  type WriteTarget,
} from './single-lane.ts';
export { scopeOf } from './start.ts';
