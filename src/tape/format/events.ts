/**
 * @module
 * The normalized side of a tape: what happened in recorded markets as rows of columns, in order of exchange time. Every
 * importer and the recorder write these rows, the replay engine reads them.
 *
 *   importers, recorder ──► EventWriter ──► events-*.arrow ──► EventBatch ──► replay engine
 *
 * The meaning of a row is in `domain/market-rows.ts`. What this does not do: raw frames, which are stored beside it as
 * evidence.
 */
import type { EventKind } from '../../domain/index.ts';

export { EVENT, type EventKind, FLAG_END } from '../../domain/index.ts';

/** Rows in a record batch at most. */
export const BATCH_ROWS_MAX = 65_536;

/** One row, as it is written. Integers all; absent means 0. */
export interface EventRow {
  /** Kind of the row. */
  readonly kind: EventKind;
  /** Flags of the row. */
  readonly flags: number;
  /** Index of the market in the manifest. */
  readonly market: number;
  /** When it happened by the exchange's clock, Unix microseconds. Never falls within a tape. */
  readonly exchangeUs: number;
  /** When the recorder had it, by its own clock, Unix microseconds. */
  readonly receivedUs: number;
  /** Ticks, 0 to 2^32 - 1. */
  readonly price: number;
  /** Lots, or what the kind says; a safe integer. */
  readonly size: number;
  /** Id of the row; its kind defines the meaning. */
  readonly id: number;
}

/** Rows in columns. The arrays belong to the reader, who does not write to them. */
export interface EventBatch {
  /** Number of rows. */
  readonly rows: number;
  /** Kind of each row (`domain/market-rows.ts`). */
  readonly kind: Uint8Array;
  /** Flags of each row. */
  readonly flags: Uint8Array;
  /** Market index of each row. */
  readonly market: Uint16Array;
  /** Exchange time of each row, Unix us. */
  readonly exchangeUs: Float64Array;
  /** Receive time of each row, Unix us. */
  readonly receivedUs: Float64Array;
  /** Price of each row in ticks, or the value that its kind defines. */
  readonly price: Uint32Array;
  /** Size of each row in lots, or the value that its kind defines. */
  readonly size: Float64Array;
  /** Id of each row; its kind defines the meaning. */
  readonly id: Float64Array;
  /** Frees the arrays, which are empty then: for a reader who is done with them. It need not be called. */
  readonly release?: (() => void) | undefined;
}

/** Takes rows in order of exchange time. */
export interface EventWriter {
  /** @throws AssertionError when a time falls or a number does not fit its column. */
  write(row: EventRow): void;
}

/** A market on a tape. Sizes and prices are exact in these decimals. */
export interface TapeMarket {
  /** Symbol of the market. */
  readonly symbol: string;
  /** Decimals of a price; one tick is 10^-priceDecimals. */
  readonly priceDecimals: number;
  /** Decimals of a size; one lot is 10^-sizeDecimals. */
  readonly sizeDecimals: number;
  /** Step of a price, in ticks. */
  readonly tickStep: number;
  /** Step of an order size, in lots. */
  readonly lotStep: number;
  /**
   * The step of the prices that the recorded book shows, in ticks, where it is coarser than that of orders and trades: a
   * level shown at P holds what rests from P up to below P + step. Absent: every price is shown.
   */
  readonly bookStep?: number;
  /** Its rows have one time each: how late they reached the recorder is not known. */
  readonly hasOneTime?: true;
  /** What the tape holds of it. */
  readonly depth: 'none' | 'bbo' | 'levels' | 'orders';
}
