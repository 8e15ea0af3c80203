/** @module Estimates latency and queue parameters from a run's own orders, with the error out of sample. */
export { type HeldErrors, withBand } from './band.ts';
export {
  type CalibrationInput,
  type ComparedFill,
  type Comparison,
  calibrateQueue,
  errorsOf,
  type MarkoutComparison,
  type QueueCalibration,
  type RunSpan,
} from './calibrate.ts';
export {
  drawnFrom,
  type LatencyFigures,
  LatencyProbe,
  type LatencySamples,
  latencyFigures,
} from './latency-probe.ts';
