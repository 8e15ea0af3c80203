/**
 * @module
 * A market as a strategy sees it under `freezeViews`: what the run overwrites in place is shown as a frozen copy, so that a
 * strategy that writes to it throws at that line. Slower; for development and tests.
 */
import { deepFrozen, frozenCopy } from '../../core/index.ts';
import type { Bbo, Book, Candle, CandleInterval, MarketSymbol, Prices, Trade } from '../../domain/index.ts';
import { LiveMarketView, type MarketViewSources } from './market-view.ts';

/** See the module. */
export class FrozenMarketView extends LiveMarketView {
  constructor(symbol: MarketSymbol, sources: MarketViewSources) {
    super(symbol, sources);
    Object.freeze(this);
  }

  override get book(): Book | undefined {
    const book = super.book;
    return book === undefined ? undefined : frozenBook(book);
  }

  override get bbo(): Bbo | undefined {
    return frozenCopy(super.bbo);
  }

  override get prices(): Prices | undefined {
    return frozenCopy(super.prices);
  }

  override get lastTrade(): Trade | undefined {
    return frozenCopy(super.lastTrade);
  }

  override candles(interval: CandleInterval): readonly Candle[] {
    return frozenCopy(super.candles(interval));
  }
}

/** A book as it is now. Its arrays are plain ones: those of numbers cannot be frozen. */
export function frozenBook(book: Book): Book {
  const { symbol, bidCount, askCount, bidTicks, bidLots, askTicks, askLots } = book;
  const { topBidTicks, topAskTicks, receivedAtMs, isFresh } = book;
  const levels = (values: Float64Array, count: number) =>
    frozenCopy(values.subarray(0, count)) as Float64Array;
  return deepFrozen({
    ...{ symbol, bidCount, askCount },
    bidTicks: levels(bidTicks, bidCount),
    bidLots: levels(bidLots, bidCount),
    askTicks: levels(askTicks, askCount),
    askLots: levels(askLots, askCount),
    ...(topBidTicks === undefined ? {} : { topBidTicks }),
    ...(topAskTicks === undefined ? {} : { topAskTicks }),
    ...{ receivedAtMs, isFresh },
  });
}
