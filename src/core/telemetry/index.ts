/** @module Turns logs and figures into lines and counts, with secrets scrubbed. */
export { createLog } from './logger.ts';
export { type CountingMeter, createMeter, type MeterSnapshot } from './meter.ts';
export type { Scrubber } from './scrub.ts';
