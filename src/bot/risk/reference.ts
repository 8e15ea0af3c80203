/**
 * @module
 * The reference price of a market: the median of mark, mid and last (denials.md P3), and the sources that must agree
 * (P4). Prices are compared as numbers of ticks; nothing here is money.
 */
import { type MarketRecord, midOf } from '../../domain/index.ts';

/**
 * A last trade older than this says nothing about the price now: in a market without trades, one print must not hold back quotes
 * for longer than they may take to resume (invariant I13).
 */
const LAST_TRADE_AGE_MS_MAX = 20_000;

/** The median of mark, mid and last in ticks; `undefined` when there is none of them. */
export function referenceTicksOf(record: MarketRecord, mid: number | undefined): number | undefined {
  const mark = record.prices?.markTicks;
  const last = record.prices?.lastTicks ?? record.lastTrade?.priceTicks;
  if (mark !== undefined && mid !== undefined && last !== undefined)
    return Math.max(Math.min(mark, mid), Math.min(Math.max(mark, mid), last));
  if (mark !== undefined && mid !== undefined) return (mark + mid) / 2;
  // The last trade can be old: it is used only where nothing better is known.
  return mark ?? mid ?? last;
}

/** The lowest and the highest of some prices in ticks, by the names of their sources. The first of equals counts. */
class PriceSpan {
  lowName = '';
  lowTicks = Number.POSITIVE_INFINITY;
  highName = '';
  highTicks = Number.NEGATIVE_INFINITY;

  /** Takes a price in; `undefined`: the source has none. */
  add(name: string, ticks: number | undefined): void {
    if (ticks === undefined) return;
    if (ticks < this.lowTicks) {
      this.lowName = name;
      this.lowTicks = ticks;
    }
    if (ticks > this.highTicks) {
      this.highName = name;
      this.highTicks = ticks;
    }
  }
}

/** How far apart the sources are that speak of the price now. `knownMid`: the mid, where the caller has it. */
export function priceSpanOf(record: MarketRecord, nowMs: number, knownMid?: number): PriceSpan {
  const { prices, lastTrade } = record;
  const span = new PriceSpan();
  span.add('mark', prices?.markTicks);
  span.add('index', prices?.indexTicks);
  span.add('middle', knownMid ?? midOf(record));
  if (lastTrade !== undefined && nowMs - lastTrade.atMs <= LAST_TRADE_AGE_MS_MAX)
    span.add('last', lastTrade.priceTicks);
  return span;
}
