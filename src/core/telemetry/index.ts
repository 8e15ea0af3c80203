/** @module Turns logs and metrics into lines and counts, with secrets scrubbed. */

export { type CountedMetrics, createMetrics, type MetricsSnapshot } from './counted-metrics.ts';
export { createLog } from './logger.ts';
