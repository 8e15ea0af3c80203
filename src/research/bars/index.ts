/** @module Rules over bars in columns. */

export { barsWithin, type ConfiguredBars } from './bar-source.ts';

export type { BarColumns } from './columns.ts';
export { type BarRun, type BarRunOptions, runBars } from './engine.ts';

export { type BarsResult, type OpenBars, openBars, runConfiguredBars } from './run-bars.ts';
