/**
 * @module
 * What is seen of a market: book, best quotes, trades, prices, candles, funding.
 */
import type { UnixMs } from '../core/index.ts';
import type { Cursor, MarketSymbol } from './ids.ts';
import type { Side } from './side.ts';
import type { Lots, Ppm, Ticks } from './units.ts';

/**
 * An order book of integer levels, best first. The arrays belong to the store that made it and are overwritten by
 * the next frame: copy what must be kept. Levels beyond the counts are garbage.
 */
export interface Book {
  readonly symbol: MarketSymbol;
  /** Levels in use in the bid arrays. */
  readonly bidCount: number;
  /** Levels in use in the ask arrays. */
  readonly askCount: number;
  readonly bidTicks: Float64Array;
  readonly bidLots: Float64Array;
  readonly askTicks: Float64Array;
  readonly askLots: Float64Array;
  /** The best prices, where they are known without the arrays; 0: an empty side. */
  readonly topBidTicks?: number;
  /** As `topBidTicks`, of the asks. */
  readonly topAskTicks?: number;
  /** When its frame arrived, by the injected clock. */
  readonly receivedAtMs: UnixMs;
  /** False until a snapshot has come and while it cannot be trusted. */
  readonly isFresh: boolean;
}

/** A book of levels as pairs of ticks and lots, best first. */
export function bookOf(
  levels: {
    readonly symbol: MarketSymbol;
    readonly bids: readonly (readonly [number, number])[];
    readonly asks: readonly (readonly [number, number])[];
  },
  { receivedAtMs, isFresh = true }: { readonly receivedAtMs: UnixMs; readonly isFresh?: boolean },
): Book {
  const { symbol, bids, asks } = levels;
  return {
    symbol,
    bidCount: bids.length,
    askCount: asks.length,
    bidTicks: Float64Array.from(bids, ([price]) => price),
    bidLots: Float64Array.from(bids, ([, size]) => size),
    askTicks: Float64Array.from(asks, ([price]) => price),
    askLots: Float64Array.from(asks, ([, size]) => size),
    receivedAtMs,
    isFresh,
  };
}

/** Best bid and ask; `undefined` for an empty side. */
export interface Bbo {
  readonly symbol: MarketSymbol;
  /** Best bid, ticks; `undefined`: the side is empty. */
  readonly bidTicks: Ticks | undefined;
  /** Size at the best bid, lots; `undefined`: the side is empty. */
  readonly bidLots: Lots | undefined;
  /** Best ask, ticks; `undefined`: the side is empty. */
  readonly askTicks: Ticks | undefined;
  /** Size at the best ask, lots; `undefined`: the side is empty. */
  readonly askLots: Lots | undefined;
  readonly receivedAtMs: UnixMs;
}

/** A public execution. */
export interface Trade {
  readonly id: Cursor;
  readonly symbol: MarketSymbol;
  /** The side of the taker. */
  readonly aggressor: Side;
  readonly priceTicks: Ticks;
  readonly sizeLots: Lots;
  readonly atMs: UnixMs;
}

/** Published prices of a market; `undefined` where the exchange has none. */
export interface Prices {
  readonly symbol: MarketSymbol;
  /** Mark price, ticks; `undefined`: not reported. */
  readonly markTicks: Ticks | undefined;
  /** Index price, ticks; `undefined`: not reported. */
  readonly indexTicks: Ticks | undefined;
  /** Last trade price, ticks; `undefined`: not reported. */
  readonly lastTicks: Ticks | undefined;
  /** Of the current hour, positive: longs pay. */
  readonly fundingRatePpm: Ppm | undefined;
  /** Time of the next funding payment, Unix ms; `undefined`: not known. */
  readonly nextFundingAtMs: UnixMs | undefined;
  /** Open interest, lots; `undefined`: not reported. */
  readonly openInterestLots: Lots | undefined;
}

/** The lengths of candles (exchange.md#assumptions: x-assumed). */
export const CANDLE_INTERVALS = ['1m', '5m', '15m', '1h', '4h', '1d'] as const;
/** One of {@link CANDLE_INTERVALS}. */
export type CandleInterval = (typeof CANDLE_INTERVALS)[number];

/** One bar: its latest state; a later one with the same start replaces it (openapi.yaml). */
export interface Candle {
  readonly symbol: MarketSymbol;
  readonly interval: CandleInterval;
  readonly startAtMs: UnixMs;
  readonly openTicks: Ticks;
  readonly highTicks: Ticks;
  readonly lowTicks: Ticks;
  readonly closeTicks: Ticks;
  readonly volumeLots: Lots;
  /** Trades in the bar. */
  readonly tradeCount: number;
}

/** One funding settlement of a market. */
export interface FundingRate {
  readonly symbol: MarketSymbol;
  readonly ratePpm: Ppm;
  /** The price at which it was charged; `undefined`: not told. */
  readonly indexTicks: Ticks | undefined;
  readonly atMs: UnixMs;
}
