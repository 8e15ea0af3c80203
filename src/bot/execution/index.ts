/**
 * @module Carries approved commands through one lane per nonce scope to a proven outcome, journal first; keeps the dead
 * man's switch armed.
 */
export type { SwitchSettings } from './dead-mans-switch.ts';
export { createExecutor, type LaneSettings } from './executor.ts';
export type { WriteEnd, WriteTarget } from './in-flight-write.ts';
export type { OpenOrdersProof } from './open-orders-proof.ts';
export type {
  CommandSigner,
  NoAnswer,
  OutcomeRecord,
  OutgoingWrite,
  RawAnswer,
  ReceiptQuery,
  WritePipe,
} from './ports.ts';
export { diffQuotes } from './quote-reconciler.ts';
export type { Executor, LaneStatus } from './reports.ts';
export { createSingleLane, type SingleLane } from './single-lane.ts';
export { scopeOf } from './start.ts';
