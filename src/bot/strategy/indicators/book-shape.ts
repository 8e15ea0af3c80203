/** @module What the shape of a book says of the next price: imbalance and microprice. Pure functions of one book. */
import type { Book, Side, WorkingOrder } from '../../../domain/index.ts';

const NO_ORDERS: readonly WorkingOrder[] = [];

/**
 * (bid size - ask size) / (bid size + ask size) over the best `depth` levels, from -1 to 1, without the orders `own`;
 * `undefined` while nothing is left on both sides.
 */
export function imbalanceOf(
  book: Book,
  depth: number,
  own: readonly WorkingOrder[] = NO_ORDERS,
): number | undefined {
  const bidCount = Math.min(depth, book.bidCount);
  const askCount = Math.min(depth, book.askCount);
  const ownOf = (side: Side, last: number | undefined) => ownLotsOf(own, side, last);
  const bids = Math.max(0, sizeOf(book.bidLots, bidCount) - ownOf('buy', book.bidTicks[bidCount - 1]));
  const asks = Math.max(0, sizeOf(book.askLots, askCount) - ownOf('sell', book.askTicks[askCount - 1]));
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

/** The lots of `own` that rest on a side at `lastTicks` or better. */
function ownLotsOf(own: readonly WorkingOrder[], side: Side, lastTicks: number | undefined): number {
  let sum = 0;
  if (lastTicks === undefined) return sum;
  for (const order of own) {
    const isWithin = side === 'buy' ? order.priceTicks >= lastTicks : order.priceTicks <= lastTicks;
    if (order.side === side && isWithin) sum += order.remainingLots;
  }
  return sum;
}
