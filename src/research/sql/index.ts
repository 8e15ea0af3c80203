/** @module Questions in SQL over runs, their fills, orders, journals and ledgers, and over tapes; by the user's DuckDB. */
export { askSql, type SqlAnswer } from './ask.ts';
export { isRun, runsBelow } from './sources.ts';
