/** @module Runs the same runtime on a virtual clock over a tape, sweeps parameters, calibrates models. */
export { assumptionsOf } from './assumptions.ts';
export {
  type BarChecks,
  type BarColumns,
  type BarRun,
  type BarRunOptions,
  type BarTape,
  type BarTerms,
  barsOfTape,
  checkBars,
  FILL_REASONS,
  type FillColumns,
  type FillReason,
  longerBars,
  recordOfBars,
  runBars,
  type SettlementColumns,
  Settlements,
  type TapeBars,
  type TradeColumns,
} from './bars/index.ts';
export {
  type CalibrationInput,
  type ComparedFill,
  type Comparison,
  calibrateQueue,
  drawnFrom,
  errorsOf,
  type HeldErrors,
  type LatencyFigures,
  LatencyProbe,
  type LatencySamples,
  latencyFigures,
  type QueueCalibration,
  type RunSpan,
  withBand,
} from './calibration/index.ts';
export { runBacktest } from './engine.ts';
export { Replay, type ReplayOptions } from './replay/replay.ts';
export {
  createQueueRunner,
  type QueuedJob,
  type QueueWorker,
  startQueueWorker,
} from './sweep/queue.ts';
export { type Axis, GRID_POINTS_MAX, pointCount, stepsOf } from './sweep/space.ts';
export {
  type Objective,
  runSweep,
  type SweepOutcome,
  type SweepRow,
  type SweepSettings,
  type SweepWindow,
} from './sweep/sweep.ts';
export type { JobRunner, SweepFigures, SweepJob, SweepPart, SweepResult, SweepSpan } from './sweep/types.ts';
export { createWorkerPool, type WorkerPoolOptions } from './sweep/worker-pool.ts';
export { TapeWorld, type TapeWorldFittings, type TapeWorldOptions } from './tape-world.ts';
export type { BacktestOptions, BacktestRun, FeedLatency, ReplaySource } from './types.ts';
