/** @module A bot on a gateway, from the checks before its first signature to the proof that it has no open orders. */

export { attestRun, verifyAttestation } from './attest/attest-run.ts';
export { attestationText } from './attest/document.ts';
export { instanceOf, selectionOf } from './bot-name.ts';
export { runBot } from './checked-run.ts';
export { type Environment, openEnvironment } from './connect/environment.ts';
export { watchEnvironment } from './connect/environment-watch.ts';
export { newExternalKey, planOf, type SignerPlan } from './connect/external-keys.ts';
export { feedNamesOf, startConfiguredFeeds } from './connect/feeds.ts';
export { createFileFeed } from './connect/file-feed.ts';
export { readingOf, showCandleHistory } from './connect/initial-data.ts';
export { type Lanes, openLanes } from './connect/lanes.ts';
export { checkAccount, checkMarkets } from './connect/preflight.ts';
export { type NetworkRoute, routeOf } from './connect/route.ts';
export { withSeat } from './connect/run-environment.ts';
export type { SharedBudget } from './connect/shared-budget.ts';
export { type LoadedWallet, loadWallets } from './connect/wallets.ts';
export { watchDebugger } from './debugger.ts';
export { type DoctorRow, examine } from './doctor.ts';
export {
  changeGrants,
  type GrantAction,
  listGrants,
  type MadeGrant,
  sendSignedGrant,
  writeGrantRequest,
} from './grants.ts';
export type { GuardedRun, RunGuard } from './guard.ts';
export { backUp, restore } from './journal-copies.ts';
export { makeKeyFile } from './key-files.ts';
export { keepTidy } from './output/retention.ts';
export { alertPlanOf } from './output/run-alerts.ts';
export { behindDoor, type EndCode, letActionsIn, runDoorOf } from './output/run-door.ts';
export { keepRecord, type RecordTaker, runFolderOf } from './output/run-folder.ts';
export type { RunRecording } from './output/run-recording.ts';
export { prove, type RunVerification } from './proof/proof.ts';
export {
  bandTextOf,
  hasFailedStrategy,
  heldText,
  isHaltedByControl,
  isProven,
  type RunReport,
  strategiesOf,
} from './proof/run-report.ts';
export { type RecordReport, recordGateway, recordMarket } from './record-market.ts';
export {
  openRecording,
  type RunOptions,
  runIdOf,
  runPrepared,
  type Signers,
} from './run.ts';
export { type RunStatus, runStatusOf } from './run-status.ts';
export { describeStop, listenForStop, type StopReason, type StopSignal, stopAfter } from './stop-signal.ts';
export { countFact, type WriteCounts, zeroCounts } from './watch/write-counts.ts';
