/** @module The embedded exchange: the wire around the venue, in process and over sockets. */
export type { Kind, Parameter } from '../core/index.ts';

export type { FaultRule, FrameSink, HistoryGap, RequestFault } from './api/index.ts';
export { type ExchangeAnswer, type ExchangeReply, type ExchangeRequest, NO_RESPONSE } from './api/index.ts';

export type {
  ControlAction,
  EphemeralKey,
  ExchangeControl,
  FundedAccountOptions,
  FundedSeedAccount,
  NamedAccount,
  SeedAccount,
} from './control/index.ts';
export {
  allControlActions,
  CONTROL_ACTION_GROUPS,
  controlActionOf,
  runControlAction,
  seedAccount,
} from './control/index.ts';
export type {
  FlowHost,
  Participants,
  RecordedFlowBook,
  RecordedFlowEvent,
  RecordedFlowGap,
  RecordedFlowLevel,
  RecordedFlowLevels,
  RecordedFlowMark,
  RecordedFlowTrade,
  RecordedRows,
  RecordedSource,
  TapePlaybackOptions,
} from './flow/index.ts';
export {
  createRecordedFlow,
  createSyntheticParticipants,
  defaultSyntheticParticipants,
  type RecordedFlow,
  type RecordedFlowSettings,
  type RecordedFlowStats,
  type SyntheticParticipantsSettings,
  TapePlayback,
} from './flow/index.ts';
export {
  type ClockMode,
  ControlledClock,
  Exchange,
  type ExchangeParts,
  type StreamHandle,
  type StreamSession,
} from './kernel/index.ts';
export type { Scenario, ScenarioAccount, ScenarioEvent } from './scenario/index.ts';
export {
  checkScenario,
  loadScenario,
  parseScenario,
  runScenario,
  type ScenarioListener,
  scenarioSettings,
} from './scenario/index.ts';
export {
  ControlApi,
  type ControlApiParts,
  type ExchangeServer,
  type InProcessOptions,
  type InProcessReply,
  type InProcessRequest,
  type InProcessStream,
  type InProcessStreamEvents,
  type InProcessTransport,
  inProcessTransport,
  type ServerOptions,
  startServer,
} from './server/index.ts';
export type { DexSettings, EntryListener } from './state/index.ts';
export {
  COLLATERAL_DECIMALS,
  defaultMarkets,
  defaultQuirks,
  defaultSettings,
  type ExchangeDomain,
  type ExchangeSettings,
  type ListedToken,
  type PerpetualSpec,
  parseQuirk,
  perpetual,
  QUIRK_IDS,
  QUIRKS,
  type QuirkId,
  type QuirkListener,
  type Quirks,
  type QuirkValue,
  type ResolvedSettings,
  resolveSettings,
  TOKENS,
} from './state/index.ts';
