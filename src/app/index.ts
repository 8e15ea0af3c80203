/** @module The composition root: builds runs out of rooms. */

export type { ConfiguredBars } from './bar-source.ts';
export type { BarsResult } from './bars.ts';
export type { CalibratedLatency, CalibrationDocument } from './calibrate.ts';
export type { Counterfactual } from './counterfactual.ts';
export type { DoctorRow } from './doctor.ts';
export type { HostedExchange, ServedExchange, ServedExchangeOptions } from './exchange-host.ts';
export { describeImportCounts, type ImportRecordingOptions, type ImportResult } from './import-recording.ts';
export {
  approveWallets,
  calibrateRun,
  examine,
  hostExchange,
  importRecording,
  makeKeyFile,
  paperOnGateway,
  paperOnSim,
  paperOnTape,
  queueRunner,
  recordGateway,
  recordSim,
  replayOtherwise,
  replayRun,
  runBot,
  runConfiguredBacktest,
  runConfiguredBars,
  runInProcess,
  runOnSim,
  serveExchange,
  startConformanceStage,
  startSweepWorker,
  sweepBars,
  sweepConfiguration,
} from './on-demand.ts';
export { describeOperatorStructs, operatorStructs } from './operator-structs.ts';
export type { PaperRun } from './paper.ts';
export type { PaperWorld } from './paper-world.ts';
export type { RecordReport } from './record-market.ts';
export type { ReplayReport } from './replay.ts';
export { keepRecord, runFolderOf } from './run-collecting.ts';
export type { RunLogHeader, RunLogWriter } from './run-log-file.ts';
export { isProven, type RunReport } from './run-report.ts';
export type { RunStatus } from './run-status.ts';
export { describeStop, listenForStop, type StopSignal } from './stop-signal.ts';
export { type PreparedStrategy, prepareStrategies, prepareToTrade } from './strategies.ts';
export {
  type ExportFormat,
  exportTape,
  type Manifest,
  mergeTapes,
  openTape,
  repairTape,
  sliceTape,
  type TornFile,
  verifyTape,
} from './tape-tools.ts';
export { loadWallets } from './wallets.ts';
