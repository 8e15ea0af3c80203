/** @module Turns logs and figures into lines and counts, with secrets scrubbed. */
export { createLog, type LogOutput, type LogSettings } from './logger.ts';
export { type CountingMeter, createMeter, type MeterSnapshot, type Observed } from './meter.ts';
export { createScrubber, REDACTED, type Scrubber } from './scrub.ts';
