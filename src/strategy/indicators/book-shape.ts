/** @module What the shape of a book says of the next price: imbalance and microprice. Pure functions of one book. */
import type { Book } from '../../domain/index.ts';

/**
 * (bid size - ask size) / (bid size + ask size) over the best `depth` levels, from -1 to 1; `undefined` while both
 * sides are empty.
 */
export function imbalanceOf(book: Book, depth: number): number | undefined {
  const bids = sizeOf(book.bidLots, Math.min(depth, book.bidCount));
  const asks = sizeOf(book.askLots, Math.min(depth, book.askCount));
  return bids + asks === 0 ? undefined : (bids - asks) / (bids + asks);
}

/** The touch weighted by the size of the other side, in ticks with fractions; `undefined` while a side is empty. */
export function micropriceOf(book: Book): number | undefined {
  if (book.bidCount === 0 || book.askCount === 0) return undefined;
  const [bid = 0, ask = 0] = [book.bidTicks[0], book.askTicks[0]];
  const [bidLots = 0, askLots = 0] = [book.bidLots[0], book.askLots[0]];
  return (bid * askLots + ask * bidLots) / (bidLots + askLots);
}

function sizeOf(lots: Float64Array, count: number): number {
  let sum = 0;
  for (let level = 0; level < count; level++) sum += lots[level] ?? 0;
  return sum;
}
