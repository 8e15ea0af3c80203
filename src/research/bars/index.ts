/** @module Rules over bars in columns. */
export type { BarTerms } from './account.ts';
export { barsWithin, type ConfiguredBars } from './bar-source.ts';
export { checkBars } from './check.ts';
export type { BarColumns, SettlementColumns } from './columns.ts';
export { type BarRun, type BarRunOptions, runBars } from './engine.ts';
export { barsOfTape, Settlements } from './from-tape.ts';
export { type BarsResult, type OpenBars, openBars, runConfiguredBars } from './run-bars.ts';
export { FILL_REASONS } from './trades.ts';
