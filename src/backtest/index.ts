/** @module Runs the same runtime on a virtual clock over a tape, sweeps parameters, calibrates models. */
export { assumptionsOf } from './assumptions.ts';
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
export { MarketFeed } from './replay/market-feed.ts';
export { Replay, type ReplayOptions } from './replay/replay.ts';
export type { BacktestOptions, BacktestRun, FeedLatency, ReplaySource } from './types.ts';
