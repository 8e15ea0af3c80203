/** @module Frames, answers and facts of a run, onto a tape, and the lines of its log beside it. */
export { createFactColumns, tapeMarketOf } from './fact-columns.ts';
export { writeLogLines } from './log-lines.ts';
export { type Recording, startRecording } from './recording.ts';
