/** @module The composition root: builds runs out of rooms. */

export type { ConfiguredBacktest } from './backtest.ts';
export type { ConfiguredBars } from './bar-source.ts';
export type { BarsResult } from './bars.ts';
export type { BarSweepOptions } from './bars-sweep.ts';
export type { CalibratedLatency, CalibrateOptions, CalibrationDocument } from './calibrate.ts';
export type { Counterfactual } from './counterfactual.ts';
export { type DoctorRow, examine } from './doctor.ts';
export { type ExchangeChild, type FundedAccount, startExchangeChild } from './exchange-child.ts';
export type {
  ExchangeHostOptions,
  HostedExchange,
  ServedExchange,
  ServedExchangeOptions,
} from './exchange-host.ts';
export {
  describeImportCounts,
  type ImportRecordingOptions,
  type ImportResult,
  importRecording,
} from './import-recording.ts';
export type {
  InProcessLatency,
  InProcessRun,
  InProcessRunOptions,
  InProcessWorld,
} from './in-process-run.ts';
export { approveWallets, type MadeGrant, type MadeKey, makeKeyFile } from './key-commands.ts';
export {
  calibrateRun,
  hostExchange,
  paperOnGateway,
  paperOnSim,
  paperOnTape,
  queueRunner,
  replayOtherwise,
  replayRun,
  runConfiguredBacktest,
  runConfiguredBars,
  runInProcess,
  serveExchange,
  startConformanceStage,
  startSweepWorker,
  sweepBars,
  sweepConfiguration,
} from './on-demand.ts';
export type { PaperRun, TapePaperOptions } from './paper.ts';
export { PaperBooks } from './paper-books.ts';
export type { LivePaperOptions } from './paper-live.ts';
export type { PaperWorld, PaperWorldOptions } from './paper-world.ts';
export { type BotBooks, type Proof, type ProofParts, prove } from './proof.ts';
export { type RecordReport, recordedGateway, recordMarket, recordSim } from './record-market.ts';
export type { ReplayOptions, ReplayReport } from './replay.ts';
export { describeStop, instanceOf, type RunOptions, runBot, type Signers } from './run.ts';
export { keepRecord, type RecordTaker, runFolderOf } from './run-collecting.ts';
export {
  openRunLog,
  RUN_LOG_FILE,
  type RunLogHeader,
  type RunLogReader,
  type RunLogWriter,
  readRunLog,
} from './run-log-file.ts';
export { isProven, type RunReport } from './run-report.ts';
export type { MarketStatus, RunStatus } from './run-status.ts';
export { runOnSim, type SimRunOptions } from './sim-run.ts';
export { listenForStop, type StopReason, type StopSignal } from './stop-signal.ts';
export { type PreparedStrategy, prepareStrategies } from './strategies.ts';
export { fileStrategyStore } from './strategy-store.ts';
export type { SweepOptions } from './sweep.ts';
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
export { type LoadedWallet, loadWallets } from './wallets.ts';
