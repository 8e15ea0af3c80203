/** @module The other participants of the embedded market: seeded, or recorded. */
export { FlowDriver } from './flow-driver.ts';
export type { FlowHost, Participants } from './flow-port.ts';
export { ReadAhead, type ReadAheadOptions } from './read-ahead.ts';
export {
  createRecordedFlow,
  type RecordedFlow,
  type RecordedFlowSettings,
  type RecordedFlowStats,
} from './recorded-flow.ts';
export type {
  RecordedFlowBook,
  RecordedFlowEvent,
  RecordedFlowHole,
  RecordedFlowLevel,
  RecordedFlowLevels,
  RecordedFlowMark,
  RecordedFlowTrade,
  RecordedSource,
} from './recorded-source.ts';
export {
  createSyntheticParticipants,
  defaultSyntheticParticipants,
  type SyntheticParticipantsSettings,
} from './synthetic-participants.ts';
