/** @module The other participants of the embedded market: seeded, or recorded. */
export { FlowDriver } from './flow-driver.ts';
export type { FlowHost, Participants } from './flow-port.ts';
export {
  createRecordedFlow,
  type RecordedFlow,
  type RecordedFlowSettings,
  type RecordedFlowStats,
} from './recorded-flow.ts';
export {
  type RecordedFlowBook,
  type RecordedFlowEvent,
  type RecordedFlowGap,
  type RecordedFlowLevel,
  type RecordedFlowLevels,
  type RecordedFlowMark,
  type RecordedFlowTrade,
  type RecordedRows,
  type RecordedSource,
  TapePlayback,
  type TapePlaybackOptions,
} from './recorded-source.ts';
export {
  createSyntheticParticipants,
  defaultSyntheticParticipants,
  type SyntheticParticipantsSettings,
} from './synthetic-participants.ts';
