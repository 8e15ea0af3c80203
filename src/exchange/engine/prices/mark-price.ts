/**
 * @module The mark price: clamp(median3(index, median3(bid, ask, last), index + basis), index +- 2 %), refreshed only
 * when the index price is set (exchange.md#market-rules).
 *
 * Own choices where the source is silent: the basis is the distance mid - index, smoothed exponentially with a time
 * constant of 150 s (weight dt / (dt + 150 s), kept in thousandths of a tick, 0 at the start, unchanged while a side of
 * the book is empty). Of bid, ask and last only those that exist count: of two the lower one, of none the index.
 */
import type { UnixMs } from '../../../core/index.ts';
import type { MarketState } from './market-state.ts';

const BASIS_TIME_MS = 150_000;
const MILLI = 1000;
/** The band around the index in percent. */
const BAND_PERCENT = 2;

/** Takes a new index price and works out the mark price. */
export function refreshMark(market: MarketState, indexTicks: number, atMs: UnixMs): void {
  const { bidTicks, askTicks } = market.book;
  const hasBoth = bidTicks > 0 && Number.isFinite(askTicks);
  if (hasBoth) {
    const passedMs = Math.max(0, atMs - (market.indexAtMs ?? atMs));
    const away = (bidTicks + askTicks) * (MILLI / 2) - indexTicks * MILLI - market.basisMilliTicks;
    market.basisMilliTicks += Math.trunc((away * passedMs) / (passedMs + BASIS_TIME_MS));
  }
  market.indexTicks = indexTicks;
  market.indexAtMs = atMs;
  const traded = [bidTicks, askTicks, market.lastTicks].filter(
    (price) => price > 0 && Number.isFinite(price),
  );
  market.markTicks = markPrice({
    indexTicks,
    bookTicks: middleOf(traded) ?? indexTicks,
    basisTicks: Math.trunc(market.basisMilliTicks / MILLI),
  });
}

/** The formula only, in ticks; `bookTicks` is median3(bid, ask, last). */
export function markPrice(inputs: { indexTicks: number; bookTicks: number; basisTicks: number }): number {
  const { indexTicks, bookTicks, basisTicks } = inputs;
  const middle = median3(indexTicks, bookTicks, indexTicks + basisTicks);
  const low = Math.ceil((indexTicks * (100 - BAND_PERCENT)) / 100);
  const high = Math.floor((indexTicks * (100 + BAND_PERCENT)) / 100);
  return Math.min(Math.max(middle, low), high);
}

function median3(a: number, b: number, c: number): number {
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
}

function middleOf(prices: readonly number[]): number | undefined {
  const [a, b, c] = prices;
  if (a === undefined || b === undefined) return a;
  return c === undefined ? Math.floor((a + b) / 2) : median3(a, b, c);
}
