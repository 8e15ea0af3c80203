/** @module The embedded exchange: the wire around the venue, in process and over sockets. */

export { ControlDesk, type DeskParts } from './control/desk.ts';
export type { NamedAccount } from './control/named-account.ts';
export type { Parameter, ParameterType } from './control/parameters.ts';
export { runVerb } from './control/run-verb.ts';
export { allVerbs, VERB_GROUPS, verbOf } from './control/table.ts';
export type { Verb } from './control/verb.ts';
export {
  ExchangeControl,
  type FundedAccountOptions,
  type FundedSeedAccount,
} from './control.ts';
export { COLLATERAL_DECIMALS, defaultMarkets, type PerpetualSpec, perpetual } from './default-markets.ts';
export {
  Exchange,
  type ExchangeParts,
  type OpenedStream,
  type StreamSession,
} from './exchange.ts';
export { ReadAhead, type ReadAheadOptions } from './flow/read-ahead.ts';
export {
  createRecordedFlow,
  type RecordedFlow,
  type RecordedFlowSettings,
  type RecordedFlowStats,
} from './flow/recorded-flow.ts';
export type {
  RecordedFlowBook,
  RecordedFlowEvent,
  RecordedFlowHole,
  RecordedFlowLevel,
  RecordedFlowLevels,
  RecordedFlowMark,
  RecordedFlowTrade,
  RecordedSource,
} from './flow/recorded-source.ts';
export {
  createSyntheticFlow,
  defaultSyntheticFlow,
  type SyntheticFlowSettings,
} from './flow/synthetic-flow.ts';
export type { Flow, FlowHost } from './flow-port.ts';
export {
  type CarriedReply,
  type CarriedRequest,
  type CarriedStream,
  type CarriedStreamEvents,
  type InProcessOptions,
  type InProcessTransport,
  inProcessTransport,
} from './in-process.ts';
export {
  defaultQuirks,
  parseQuirk,
  QUIRK_IDS,
  QUIRKS,
  type QuirkId,
  type QuirkListener,
  type Quirks,
  type QuirkValue,
} from './quirks.ts';
export type { FaultRule, RequestFault } from './request-faults.ts';
export { type ExchangeAnswer, type ExchangeReply, type ExchangeRequest, LOST } from './rest/answer.ts';
export type { HistoryGap } from './rest/read.ts';
export { checkScenario, playScenario, type ScenarioListener, scenarioSettings } from './scenario/play.ts';
export { loadScenario, parseScenario } from './scenario/read.ts';
export type { Scenario, ScenarioAccount, ScenarioEvent } from './scenario/scenario.ts';
export { type SeedAccount, seedAccount, type ThrowAwayKey } from './seed-accounts.ts';
export type { AppliedListener } from './sequencer.ts';
export { type ExchangeServer, type ServerOptions, startServer } from './server/start-server.ts';
export {
  defaultSettings,
  type ExchangeDomain,
  type ExchangeSettings,
  type ResolvedSettings,
  resolveSettings,
} from './settings.ts';
export type { DexSettings } from './state/dexes.ts';
export { type ClockMode, SteeredClock } from './steered-clock.ts';
export type { FrameSink } from './stream/connection.ts';
export { type ListedToken, TOKENS } from './tokens.ts';
