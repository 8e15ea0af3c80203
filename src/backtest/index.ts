/** @module Runs the same runtime on a virtual clock over a tape, sweeps parameters, calibrates models. */
export type { BacktestOptions, BacktestRun, FeedLatency, ReplaySource } from './types.ts';
