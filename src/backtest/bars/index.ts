/** @module Backtests over bars: columns in, a rule, a record out. */
export type { BarTerms } from './account.ts';
export { type BarChecks, checkBars } from './check.ts';
export { type BarColumns, NO_SETTLEMENTS, type SettlementColumns } from './columns.ts';
export { type BarRun, type BarRunOptions, runBars } from './engine.ts';
export { type BarTape, barsOfTape, Settlements, type TapeBarOptions, type TapeBars } from './from-tape.ts';
export { longerBars } from './gather.ts';
export { assumptionsOfBars, type BarIdentity, recordOfBars } from './record.ts';
export { FILL_REASONS, type FillColumns, type FillReason, type TradeColumns } from './trades.ts';
