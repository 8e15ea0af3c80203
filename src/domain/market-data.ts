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
  readonly bidCount: number;
  readonly askCount: number;
  readonly bidTicks: Float64Array;
  readonly bidLots: Float64Array;
  readonly askTicks: Float64Array;
  readonly askLots: Float64Array;
  /** The best prices, where they are known without the arrays; 0: an empty side. */
  readonly topBidTicks?: number;
  readonly topAskTicks?: number;
  /** When its frame arrived, by the injected clock. */
  readonly receivedAtMs: UnixMs;
  /** False until a snapshot has come and while it cannot be trusted. */
  readonly isFresh: boolean;
}

/** Best bid and ask; `undefined` for an empty side. */
export interface Bbo {
  readonly symbol: MarketSymbol;
  readonly bidTicks: Ticks | undefined;
  readonly bidLots: Lots | undefined;
  readonly askTicks: Ticks | undefined;
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
  readonly markTicks: Ticks | undefined;
  readonly indexTicks: Ticks | undefined;
  readonly lastTicks: Ticks | undefined;
  /** Of the current hour, positive: longs pay. */
  readonly fundingRatePpm: Ppm | undefined;
  readonly nextFundingAtMs: UnixMs | undefined;
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
  readonly tradeCount: number;
}

/** One funding settlement of a market. */
export interface FundingRate {
  readonly symbol: MarketSymbol;
  readonly ratePpm: Ppm;
  readonly atMs: UnixMs;
}
