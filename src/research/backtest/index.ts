/** @module The bot of live runs on a virtual clock, between a tape and the simulated venue. */

export type { Disturbance } from '../venue/index.ts';
export { assumptionsOf, bpsText } from './assumptions.ts';
export type { HeldErrors } from './band.ts';
export { bandedRecord, type Calibrated, calibratedModels, readCalibration } from './calibration-file.ts';
export { runBacktest } from './engine.ts';
export {
  collateralDecimalsOf,
  type LocalModels,
  localMarketsOf,
  localModelsOf,
  localTermsOf,
} from './paper-settings.ts';
export { backtestOptionsOf, type ConfiguredBacktest, runConfiguredBacktest } from './run-backtest.ts';
export { TapeWorld, type TapeWorldOptions } from './tape-world.ts';
export type { BacktestOptions, BacktestRun, ReplaySource } from './types.ts';
export { replayWhatIf, type WhatIfReplay } from './what-if.ts';
