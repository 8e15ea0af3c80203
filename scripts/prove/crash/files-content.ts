/**
 * @module
 * What the children write, as a function of how many writes there are: so that what is found tells what is missing.
 */
import { JournalState } from '../../../src/bot/journal/index.ts';
import type { JournalRecord } from '../../../src/bot/journal/records.ts';
import { anOutcome, aWrite } from '../../../test/unit/bot/journal/support.ts';

/** Rows after which a file is put aside. */
export const ROWS_MAX = 40;
/** A child whose disk is never full ends after so many. */
export const WRITES_MAX = 400;
/** A write is resolved when so many have followed. */
const OPEN_WRITES = 5;

/** One transaction: write `n`, and the end of an earlier one. */
export function groupOf(n: number): readonly JournalRecord[] {
  const write: JournalRecord = { type: 'write', value: aWrite(n) };
  return n < OPEN_WRITES ? [write] : [write, { type: 'outcome', value: anOutcome(n - OPEN_WRITES) }];
}

/** The state after the transactions 0 to `n`. */
export function stateAfter(n: number, contentOf: (n: number) => readonly JournalRecord[]): JournalState {
  const state = new JournalState();
  for (let i = 0; i <= n; i++) for (const record of contentOf(i)) state.apply(record);
  return state;
}

/** Write `n` alone. */
export function writeOf(n: number): readonly JournalRecord[] {
  return [{ type: 'write', value: aWrite(n) }];
}
