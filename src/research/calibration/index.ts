/** @module Fill model and latency from the own orders of a run. */

export { type ComparedFill, calibrateQueue, errorsOf, type RunSpan } from './calibrate.ts';
export { type CalibratedLatency, type CalibrationDocument, calibrateRun } from './calibrate-run.ts';
export { drawnFrom, LatencyProbe, latencyFigures } from './latency-probe.ts';
