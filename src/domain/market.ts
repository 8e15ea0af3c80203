/**
 * @module
 * A market and the exact arithmetic that belongs to it: text to ticks and lots, notional in quantums.
 * Rounding happens only in functions that say so in their name.
 */
import { formatScaled, parseScaledNumber, product } from '../core/index.ts';
import type { MarketSymbol } from './ids.ts';
import { type Lots, lots, type Ppm, PRICE_TICKS_MAX, type Quantums, type Ticks, ticks } from './units.ts';

/** The states of a market that are known; any other text is not tradable (obligation O10). */
export const MARKET_STATUSES = ['Active', 'Paused', 'CancelOnly', 'FinalSettlement'] as const;

/** What the exchange says of one market. */
export interface Market {
  readonly symbol: MarketSymbol;
  /** The number inside signed structs (u16). */
  readonly signingMarketId: number;
  /** Decimals of prices as text. */
  readonly priceDecimals: number;
  /** Decimals of sizes as text. */
  readonly sizeDecimals: number;
  /** The price increment in ticks: a price must be a multiple of it. */
  readonly tickStep: Ticks;
  /** The size increment in lots: a size must be a multiple of it. */
  readonly lotStep: Lots;
  /** As published; see {@link isTradable}. */
  readonly status: string;
  /** Quantums of collateral in one tick times one lot: 10^(collateralDecimals - priceDecimals - sizeDecimals). */
  readonly quantumsPerTickLot: bigint;
  readonly initialMarginPpm: Ppm;
  /** The fraction of the initial margin that must be kept. */
  readonly maintenanceFractionPpm: Ppm;
  /** The smallest notional of an order; 0 means none. */
  readonly minNotional: Quantums;
  /** Of a recording: the step of the prices that its book shows, where that is coarser than `tickStep` (see `TapeMarket`). */
  readonly bookStep?: Ticks;
}

/** Reasons of rejected orders that the market explains: what is known of it is not how it is by now. */
const MARKET_REASONS: ReadonlySet<string | undefined> = new Set([
  ...['MarketNotTrading', 'UnknownMarket', 'BelowMinNotional'],
  ...['OrderNotAligned', 'NotAligned', 'InvalidPrecision'],
]);

/** True if an order was rejected for what its market is, so that reading the market again may explain it. */
export function isMarketReason(reason: string | undefined): boolean {
  return MARKET_REASONS.has(reason);
}

/** True while orders may be placed. Unknown states fail closed. */
export function isTradable(market: Market): boolean {
  return market.status === 'Active';
}

/** The price `text` of `market`; `undefined` when it is no decimal, off the tick, zero or out of range. Exact. */
export function parsePrice(market: Market, text: string): Ticks | undefined {
  const value = parseScaledNumber(text, market.priceDecimals);
  return value > 0 && value <= PRICE_TICKS_MAX && value % market.tickStep === 0
    ? (value as Ticks)
    : undefined;
}

/** The size `text` of `market`; `undefined` when it is no decimal, off the lot or zero. Exact. */
export function parseSize(market: Market, text: string): Lots | undefined {
  const value = parseScaledNumber(text, market.sizeDecimals);
  return value > 0 && value % market.lotStep === 0 ? (value as Lots) : undefined;
}

/** A price as decimal text with all its decimals. */
export function formatPrice(market: Market, priceTicks: Ticks): string {
  return formatScaled(priceTicks, market.priceDecimals);
}

/** A size, or a signed position, as decimal text with all its decimals. */
export function formatSize(market: Market, sizeLots: Lots): string {
  return formatScaled(sizeLots, market.sizeDecimals);
}

/** The greatest valid price at or below `value` ticks (fractions allowed), at least one step. */
export function floorToTick(market: Market, value: number): Ticks {
  return ticks(Math.max(market.tickStep, Math.floor(value / market.tickStep) * market.tickStep));
}

/** The smallest valid price at or above `value` ticks (fractions allowed), at least one step. */
export function ceilToTick(market: Market, value: number): Ticks {
  return ticks(Math.max(market.tickStep, Math.ceil(value / market.tickStep) * market.tickStep));
}

/** The greatest valid size at or below `value` lots (fractions allowed); 0 when it is below one step. */
export function floorToLot(market: Market, value: number): Lots {
  return lots(Math.max(0, Math.floor(value / market.lotStep) * market.lotStep));
}

/** Price times size in quantums, exact and signed as `sizeLots` is. */
export function notionalOf(market: Market, priceTicks: Ticks, sizeLots: Lots): Quantums {
  return (product(priceTicks, sizeLots) * market.quantumsPerTickLot) as Quantums;
}
