/** @module What a person reaches of a bot while it runs: its door, the list of runs, and the client of both. */
export type { FeedMessage, LaneRow, ViewSources } from '../dashboard/index.ts';
export { OPERATOR_ACTIONS, type OperatorActionName } from './actions.ts';
export { type DoorClient, dashboardAddress, doorOf, stateOf } from './client.ts';
export type { ActionAnswer, ReadDocuments } from './documents.ts';
export { DOOR_METRICS, METRIC_PREFIX } from './door-metrics.ts';
export { tryDoorPort } from './door-port.ts';
export {
  type GuardedDoor,
  type GuardianDoor,
  type GuardianEnd,
  openGuardianDoor,
} from './guardian-door.ts';
export { operatorOpenApi, schemaOfParameters } from './openapi.ts';
export { type Operation, operate } from './operated-run.ts';
export type {
  AlertBoard,
  AlertsDocument,
  ChannelFigures,
  RunFigures,
  RunView,
  SharedFigures,
  SignerFigures,
} from './ports.ts';
export { givenNames } from './probes.ts';
export {
  notReady,
  PROBLEMS,
  type Problem,
  type ProblemName,
  problemsOf,
  type Severity,
} from './problems.ts';
export { findRun, type ListedRun, listedRuns, runsFolder } from './run-list.ts';
export { closing, untilSettled } from './unsettled.ts';
