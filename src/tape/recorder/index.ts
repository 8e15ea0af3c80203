/** @module Frames, answers and facts of a run, onto a tape. */
export { createFactColumns, type FactColumns, tapeMarketOf } from './fact-columns.ts';
export { createRecorder, type TapeRecorder } from './recorder.ts';
