/** @module The composition root: builds runs out of rooms. */

export {
  backtestOptionsOf,
  type ConfiguredBacktest,
  runConfiguredBacktest,
} from './backtest.ts';
export { type BarsResult, type ConfiguredBars, FILL_REASONS, runConfiguredBars } from './bars.ts';
export {
  type CalibratedLatency,
  type CalibrateOptions,
  type CalibrationDocument,
  calibrateRun,
} from './calibrate.ts';
export { startConformanceStage } from './conformance-stage.ts';
export type { Counterfactual } from './counterfactual.ts';
export { type DoctorRow, examine } from './doctor.ts';
export { type ExchangeChild, type FundedAccount, startExchangeChild } from './exchange-child.ts';
export {
  type ExchangeHostOptions,
  type HostedExchange,
  hostExchange,
  type ServedExchange,
  type ServedExchangeOptions,
  serveExchange,
} from './exchange-host.ts';
export {
  describeImportCounts,
  type ImportRecordingOptions,
  type ImportResult,
  importRecording,
} from './import-recording.ts';
export {
  type InProcessLatency,
  type InProcessRun,
  type InProcessRunOptions,
  type InProcessWorld,
  runInProcess,
} from './in-process-run.ts';
export { approveWallets, type MadeGrant, type MadeKey, makeKeyFile } from './key-commands.ts';
export { type PaperRun, paperOnTape, type TapePaperOptions } from './paper.ts';
export { PaperBooks } from './paper-books.ts';
export { type LivePaperOptions, paperOnGateway } from './paper-live.ts';
export { paperOnSim } from './paper-sim.ts';
export { PaperWorld, type PaperWorldOptions } from './paper-world.ts';
export { type BotBooks, type Proof, type ProofParts, prove } from './proof.ts';
export { type RecordReport, recordedGateway, recordMarket, recordSim } from './record-market.ts';
export {
  type ReplayOptions,
  type ReplayReport,
  replayEntries,
  replayOtherwise,
  replayRun,
} from './replay.ts';
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
export { type SweepOptions, sweepConfiguration } from './sweep.ts';
export { queueRunner, startSweepWorker } from './sweep-queue.ts';
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
