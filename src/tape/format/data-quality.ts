/**
 * @module How good an imported recording is: what its import read, dropped, moved and found. Made once by the import,
 * stored in the manifest of the tape, shown by `ballast import` and `ballast tape info`.
 */
import type { EVENT } from './events.ts';

/** The recorder's clock against the exchange's, over the records that have both times. */
interface ClockQuality {
  /** Number of records with a receive time. */
  readonly records: number;
  /** Records that were received before they happened. */
  readonly negative: number;
  /** Their fraction of `records`. */
  readonly negativeFraction: number;
  /** Median of receive time minus exchange time, ms, to three digits. */
  readonly medianMs: number;
  /** Lowest receive time minus exchange time, ms. */
  readonly minMs: number;
  /** The `paper.feedClockOffset` with which no record is received before it happened; `null`: none is. */
  readonly feedClockOffset: string | null;
}

/** Prices or times that only come in multiples of a step. */
interface CoarseStep {
  /** Symbol of the market. */
  readonly market: string;
  /** Rows that the step is of. */
  readonly rows: 'trades' | 'book' | 'quotes';
  /** The step of their prices as decimal text; absent: prices are as fine as the market's decimals. */
  readonly price?: string;
  /** The step of their times, ms; absent: times are finer than 10 ms. */
  readonly timeMs?: number;
}

/** See the module. */
export interface DataQuality {
  /** Records of the files that were read. */
  readonly records: number;
  /** Rows on the tape by kind, of all markets. */
  readonly rows: Readonly<Partial<Record<keyof typeof EVENT, number>>>;
  /** First exchange time on the tape, Unix us. */
  readonly fromUs: number;
  /** Last exchange time on the tape, Unix us. */
  readonly toUs: number;
  /** Gaps of books: number, total and longest length. */
  readonly gaps: { readonly count: number; readonly totalMs: number; readonly longestMs: number };
  /** Longest time between two frames of one market and kind (prices, trades, book, best quotes), ms. */
  readonly longestSilenceMs: number;
  /** Records that repeat another one in everything, dropped. */
  readonly duplicates: number;
  /** Records that came after a later one of their file, put in order: number, and how late the latest was. */
  readonly late: { readonly records: number; readonly maxMs: number };
  /** Records that were lost or moved in time, and their fraction of all. */
  readonly repaired: { readonly dropped: number; readonly moved: number; readonly fraction: number };
  /** What was dropped, repaired or inferred, by reason. */
  readonly counts: Readonly<Record<string, number>>;
  /** Clock of the recorder; `null`: the recording has one time for each record. */
  readonly clock: ClockQuality | null;
  /** Coarse steps; empty: none. */
  readonly coarse: readonly CoarseStep[];
  /** What all this means for a backtest, in sentences. */
  readonly meaning: readonly string[];
}
