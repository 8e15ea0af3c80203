/** @module What a run leaves for reports, collected while it happens. */
export type { RunCollector, RunIdentity } from './collector.ts';
export { createRunCollector } from './run-collector.ts';
