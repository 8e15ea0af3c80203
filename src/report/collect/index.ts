/** @module What a run leaves for reports, collected while it happens. */
export { createRunCollector, type RunCollector, type RunIdentity } from './run-collector.ts';
