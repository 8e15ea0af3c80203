/** @module Fill model and latency from the own orders of a run. */

export { calibrateQueue } from './calibrate.ts';
export { type CalibratedLatency, type CalibrationDocument, calibrateRun } from './calibrate-run.ts';
