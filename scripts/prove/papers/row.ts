/** @module One figure of a paper, held against what this project computes. */

/** See the module. */
export interface PaperRow {
  readonly paper: string;
  /** The table and line, or the formula and its arguments. */
  readonly row: string;
  readonly figure: number;
  readonly expected: number;
  /** The greatest distance from `expected` that holds. */
  readonly band: number;
  readonly holds: boolean;
}

/** A row with its judgment. */
export function rowOf(row: Omit<PaperRow, 'holds'>): PaperRow {
  return { ...row, holds: Math.abs(row.figure - row.expected) <= row.band };
}
