/**
 * @module What an import dropped, repaired or inferred, counted by reason. Nothing leaves a recording silently: code
 * that drops a record names its reason here, and the command prints all of them.
 */

/** Each reason with its meaning, in the words that are printed. */
export const IMPORT_REASONS = {
  filesRepeated: 'files that were named again, by whatever path, read once',
  duplicatesDropped: 'records that repeat one before in everything, dropped',
  idsMissing: 'trades whose id is empty, 0, null or the like, numbered by their index in the recording',
  idsReused: 'trades with the id of another trade, kept',
  repeatsKept:
    'trades, order messages or feed values that equal another one of the same time and have no id, kept',
  diffsDropped: 'book changes older than the snapshot, dropped',
  tradesOffBook: 'trades that did not meet the book, dropped',
  tradesWithoutSize: 'trades without a size, dropped',
  tradesWithoutSide: 'trades whose taker no rule determines, dropped',
  othersSkipped: 'records of streams that a tape does not hold, skipped',
  beforeSnapshot: 'book changes before the first snapshot, dropped',
  unknownOrders: 'messages about orders that rested before the recording began; their trades are kept',
  sequenceGaps: 'breaks in the chain of update ids; a gap row marks each',
  tradeIdGaps: 'breaks in the numbers of trades',
  gaps: 'silences of the book longer than --gap-after; a gap row marks each',
  gapsMs: 'their total length in ms',
  lockedBooks: 'recorded books whose best bid equals their best ask',
  crossedBooks: 'recorded books whose best bid is above their best ask',
  booksSeparated: 'of them repaired by the rule below; --crossed-books keep leaves them',
  aggressorsByQuote: 'takers inferred from the book (quote rule)',
  aggressorsByTick: 'takers inferred from the price before (tick rule)',
  settlementsInferred: 'funding settlements seen by the next settlement that was named',
  settlementsUnpriced: 'funding settlements without a mark price near them',
  badBars: 'bars whose open or close is outside of low and high, kept as recorded',
  pricesRounded: 'mark and index prices rounded to the tick',
  ratesRounded: 'funding rates rounded to parts per billion',
  idsReplaced: 'trade ids that are no integer below 2^53, replaced by their index in the recording',
  resets: 'snapshots after the first, used as full books',
  lateMoved: 'gaps and settlements found so late that they are later on the tape than they were',
} as const;

/** One of {@link IMPORT_REASONS}. */
export type ImportReason = keyof typeof IMPORT_REASONS;

/** How often each reason came up. */
export type ImportTally = Readonly<Partial<Record<ImportReason, number>>>;

/** Counts by reason while an import runs. */
export class ImportCounts {
  readonly #counts = new Map<ImportReason, number>();

  add(reason: ImportReason, count = 1): void {
    this.#counts.set(reason, (this.#counts.get(reason) ?? 0) + count);
  }

  /** What came up, in the order of {@link IMPORT_REASONS}. */
  tally(): ImportTally {
    const tally: Partial<Record<ImportReason, number>> = {};
    for (const reason of Object.keys(IMPORT_REASONS) as ImportReason[]) {
      const count = this.#counts.get(reason) ?? 0;
      if (count > 0) tally[reason] = count;
    }
    return tally;
  }
}
