/**
 * @module
 * The numbers of the rows of a tape that the local venue reads, as `tape` settles them (a test holds the two together:
 * this room may not import that one).
 */

/** Kind of row by name. */
export const ROW = {
  bidLevel: 1,
  askLevel: 2,
  buyTrade: 3,
  sellTrade: 4,
  bookReset: 5,
  mark: 6,
  index: 7,
  fundingRate: 8,
  fundingSettled: 9,
  hole: 10,
  bestBid: 11,
  bestAsk: 12,
  bidOrder: 17,
  askOrder: 18,
  orderReduced: 19,
  orderExecuted: 20,
  orderDeleted: 21,
  marketStatus: 23,
} as const;

/** The last row of its frame. */
export const ROW_END = 1;
