/**
 * @module
 * The normalised side of a tape: what happened in recorded markets as rows of columns, in order of exchange time.
 * Every importer and the recorder write these rows, the replay engine reads them (decision D3, performance C11).
 *
 *   importers, recorder ──► EventWriter ──► events-*.arrow ──► EventBatch ──► replay engine
 *
 * A frame is one or more rows that happened together; its last row carries {@link FLAG_END}. Levels are total sizes:
 * a row sets the size at a price, 0 removes it. What this does not do: raw frames, which lie beside it as evidence.
 */

/** What a row says. The numbers are part of the format. */
export const EVENT = {
  /** Total size resting at a price, 0: none. */
  bidLevel: 1,
  askLevel: 2,
  /** A public execution, named after the side of its taker. `id`: its number, or its place in the recording. */
  buyTrade: 3,
  sellTrade: 4,
  /** The levels that follow in this frame are the whole book: what was known before is void. */
  bookReset: 5,
  /** Published prices. */
  mark: 6,
  index: 7,
  /** Rate of the running interval: `size` in parts per billion, signed; `id` the next settlement in Unix ms. */
  fundingRate: 8,
  /** A settlement: `size` its rate in parts per billion, signed; `price` the price it was settled at, 0: not known. */
  fundingSettled: 9,
  /** Nothing was recorded from this row's time until `id` (Unix us): what was known cannot be trusted meanwhile. */
  hole: 10,
  /** Best quotes of a stream of their own, which may run ahead of the book; size 0: an empty side. */
  bestBid: 11,
  bestAsk: 12,
  /** A bar in four rows of one frame, at the time it became known. `id` of the open: its length in ms; `id` of the high: its start in Unix ms; close: `size` the volume, `id` the number of trades. */
  candleOpen: 13,
  candleHigh: 14,
  candleLow: 15,
  candleClose: 16,
  /** Order by order: `id` is the order's number, `price` and `size` what rests. */
  bidOrder: 17,
  askOrder: 18,
  /** `size` of the order `id` was canceled; the rest keeps its place. */
  orderReduced: 19,
  /** `size` of the order `id` was executed. */
  orderExecuted: 20,
  /** The order `id` is gone. */
  orderDeleted: 21,
  /** A value of a custom feed: `market` is the feed's place in the manifest, `id` the line of `feeds.jsonl`. */
  feed: 22,
  /** `size` is the place of the new state in MARKET_STATUSES. */
  marketStatus: 23,
} as const;

/** One of {@link EVENT}. */
export type EventKind = (typeof EVENT)[keyof typeof EVENT];

/** The last row of its frame: all rows of a frame are seen together. */
export const FLAG_END = 1;

/** Rows in a record batch at the most (performance B7). */
export const BATCH_ROWS_MAX = 65_536;

/** One row, as it is written. Integers all; absent means 0. */
export interface EventRow {
  readonly kind: EventKind;
  readonly flags: number;
  /** Place of the market in the manifest. */
  readonly market: number;
  /** When it happened by the exchange's clock, Unix microseconds. Never falls within a tape. */
  readonly exchangeUs: number;
  /** When the recorder had it, by its own clock, Unix microseconds. */
  readonly receivedUs: number;
  /** Ticks, 0 to 2^32 - 1. */
  readonly price: number;
  /** Lots, or what the kind says; a safe integer. */
  readonly size: number;
  readonly id: number;
}

/** Rows in columns. The arrays belong to the reader and are overwritten by the next batch unless it says otherwise. */
export interface EventBatch {
  readonly rows: number;
  readonly kind: Uint8Array;
  readonly flags: Uint8Array;
  readonly market: Uint16Array;
  readonly exchangeUs: Float64Array;
  readonly receivedUs: Float64Array;
  readonly price: Uint32Array;
  readonly size: Float64Array;
  readonly id: Float64Array;
}

/** Takes rows in order of exchange time. */
export interface EventWriter {
  /** @throws AssertionError when a time falls or a number does not fit its column. */
  write(row: EventRow): void;
}

/** A market on a tape. Sizes and prices are exact in these decimals. */
export interface TapeMarket {
  readonly symbol: string;
  readonly priceDecimals: number;
  readonly sizeDecimals: number;
  /** Steps in ticks and lots. */
  readonly tickStep: number;
  readonly lotStep: number;
  /** What the tape holds of it. */
  readonly depth: 'none' | 'bbo' | 'levels' | 'orders';
}
