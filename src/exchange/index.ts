/** @module The embedded exchange: the wire around the venue, in process and over sockets. */

export type { FaultRule, FrameSink, HistoryGap, RequestFault } from './api/index.ts';
export { type ExchangeAnswer, type ExchangeReply, type ExchangeRequest, LOST } from './api/index.ts';
export type { Parameter, ParameterType, Verb } from './control/index.ts';
export { allVerbs, ControlDesk, type DeskParts, runVerb, VERB_GROUPS, verbOf } from './control/index.ts';
export type {
  Flow,
  FlowHost,
  RecordedFlowBook,
  RecordedFlowEvent,
  RecordedFlowHole,
  RecordedFlowLevel,
  RecordedFlowLevels,
  RecordedFlowMark,
  RecordedFlowTrade,
  RecordedSource,
} from './flow/index.ts';
export {
  createRecordedFlow,
  createSyntheticFlow,
  defaultSyntheticFlow,
  ReadAhead,
  type ReadAheadOptions,
  type RecordedFlow,
  type RecordedFlowSettings,
  type RecordedFlowStats,
  type SyntheticFlowSettings,
} from './flow/index.ts';
export type { NamedAccount } from './kernel/index.ts';
export {
  type ClockMode,
  Exchange,
  ExchangeControl,
  type ExchangeParts,
  type FundedAccountOptions,
  type FundedSeedAccount,
  type OpenedStream,
  type SeedAccount,
  SteeredClock,
  type StreamSession,
  seedAccount,
  type ThrowAwayKey,
} from './kernel/index.ts';
export type { Scenario, ScenarioAccount, ScenarioEvent } from './scenario/index.ts';
export {
  checkScenario,
  loadScenario,
  parseScenario,
  playScenario,
  type ScenarioListener,
  scenarioSettings,
} from './scenario/index.ts';
export {
  type CarriedReply,
  type CarriedRequest,
  type CarriedStream,
  type CarriedStreamEvents,
  type ExchangeServer,
  type InProcessOptions,
  type InProcessTransport,
  inProcessTransport,
  type ServerOptions,
  startServer,
} from './server/index.ts';
export type { AppliedListener, DexSettings } from './state/index.ts';
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
