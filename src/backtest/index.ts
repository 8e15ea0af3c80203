/** @module Runs the same runtime on a virtual clock over a tape, sweeps parameters, calibrates models. */
export { assumptionsOf } from './assumptions.ts';
export {
  type BarColumns,
  type BarRun,
  type BarRunOptions,
  type BarTerms,
  barsOfTape,
  checkBars,
  FILL_REASONS,
  longerBars,
  recordOfBars,
  runBars,
  type SettlementColumns,
  Settlements,
} from './bars/index.ts';
export {
  type ComparedFill,
  calibrateQueue,
  drawnFrom,
  errorsOf,
  type HeldErrors,
  type LatencyFigures,
  LatencyProbe,
  latencyFigures,
  type QueueCalibration,
  type RunSpan,
  withBand,
} from './calibration/index.ts';
export { runBacktest } from './engine.ts';
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
} from './sweep/sweep.ts';
export type { JobRunner, SweepFigures, SweepJob, SweepResult } from './sweep/types.ts';
export { createWorkerPool } from './sweep/worker-pool.ts';
export { countedByVenue, TapeWorld, type TapeWorldOptions } from './tape-world.ts';
export type { BacktestOptions, BacktestRun, FeedLatency, ReplaySource } from './types.ts';
