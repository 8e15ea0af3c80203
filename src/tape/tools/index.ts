/** @module Tapes verified, cut, united, exported. */
export { exportTape } from './export-tape.ts';
export { mergeTapes } from './merge-tapes.ts';
export { rowsOf } from './row-cursor.ts';
export { sliceTape } from './slice-tape.ts';
export { verifyTape } from './verify-tape.ts';
