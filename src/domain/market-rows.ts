/**
 * @module
 * What a row of a recorded market can say: the numbers that tapes hold, the replay engine reads and the local venue matches
 * against. The columns of a row are described in `tape/format/events.ts`. A frame is one or more rows that happened together; its last
 * row carries {@link FLAG_END}. Levels are total sizes: a row sets the size at a price, 0 removes it.
 */

/** What a row says. The numbers are part of the format. */
export const EVENT = {
  /** Total size resting at a price, 0: none. */
  bidLevel: 1,
  askLevel: 2,
  /** A public execution, named after the side of its taker. `id`: its number, or its position in the recording. */
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
  /** Best quotes of a separate stream, which may run ahead of the book; size 0: an empty side. */
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
  /** `size` of the order `id` was canceled; the rest keeps its queue position. */
  orderReduced: 19,
  /** `size` of the order `id` was executed. */
  orderExecuted: 20,
  /** The order `id` is gone. */
  orderDeleted: 21,
  /** A value of a custom feed: `market` is the feed's index in the manifest, `id` the line of `feeds.jsonl`. */
  feed: 22,
  /** `size` is the index of the new state in MARKET_STATUSES. */
  marketStatus: 23,
} as const;

/** One of {@link EVENT}. */
export type EventKind = (typeof EVENT)[keyof typeof EVENT];

/** The last row of its frame: all rows of a frame are seen together. */
export const FLAG_END = 1;
