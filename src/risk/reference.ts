/**
 * @module
 * The reference price of a market: the median of mark, middle and last (risk-and-keys P3), and the sources that must
 * agree (P4). Prices are compared as numbers of ticks; nothing here is money.
 */
import { type MarketRecord, midOf } from '../domain/index.ts';

/**
 * A last trade older than this says nothing about the price now: where nobody trades, one print must not hold back quotes
 * for longer than they may take to resume (invariant I13).
 */
const LAST_TRADE_AGE_MS_MAX = 20_000;

/** The median of mark, middle and last in ticks; `undefined` when there is none of them. */
export function referenceTicksOf(record: MarketRecord): number | undefined {
  const mark = record.prices?.markTicks;
  const mid = midOf(record);
  const last = record.prices?.lastTicks ?? record.lastTrade?.priceTicks;
  if (mark !== undefined && mid !== undefined && last !== undefined)
    return Math.max(Math.min(mark, mid), Math.min(Math.max(mark, mid), last));
  if (mark !== undefined && mid !== undefined) return (mark + mid) / 2;
  // The last trade alone can be old: it stands in only where nothing better is known.
  return mark ?? mid ?? last;
}

/** Sources that speak of the price now, by name. */
export function priceSources(record: MarketRecord, nowMs: number): readonly (readonly [string, number])[] {
  const sources: (readonly [string, number])[] = [];
  const { prices, lastTrade } = record;
  const mid = midOf(record);
  if (prices?.markTicks !== undefined) sources.push(['mark', prices.markTicks]);
  if (prices?.indexTicks !== undefined) sources.push(['index', prices.indexTicks]);
  if (mid !== undefined) sources.push(['middle', mid]);
  if (lastTrade !== undefined && nowMs - lastTrade.atMs <= LAST_TRADE_AGE_MS_MAX)
    sources.push(['last', lastTrade.priceTicks]);
  return sources;
}
