/**
 * @module
 * Markets, prices, books, trades, bars and funding as the JSON of the interface: integers become decimal text in human
 * units, never through a binary fraction.
 */
import { formatScaled } from '../../../core/index.ts';
import type { CandleInterval, Market } from '../../../domain/index.ts';
import type {
  WireBbo,
  WireBook,
  WireCandle,
  WireFunding,
  WireLevel,
  WireMarket,
  WirePrice,
  WireTrade,
} from '../../../wire/protocol/index.ts';
import type { VenueKernel, VenueLevels, VenueMarketView } from '../../engine/index.ts';
import type { Bar } from '../../state/index.ts';
import { COLLATERAL_DECIMALS, eventId, type FillEvent, type FundingEvent } from '../../state/index.ts';

/** A price in ticks as text. */
export function priceText(market: Market, priceTicks: number): string {
  return formatScaled(priceTicks, market.priceDecimals);
}

/** A size in lots as text; signed for positions. */
export function sizeText(market: Market, sizeLots: number | bigint): string {
  return formatScaled(sizeLots, market.sizeDecimals);
}

/** An amount of collateral in quantums as text. */
export function amountText(amount: bigint): string {
  return formatScaled(amount, COLLATERAL_DECIMALS);
}

/** An entry of the market table. */
export function marketJson(market: Market): WireMarket {
  return {
    symbol: market.symbol,
    kind: 'perp',
    status: market.status,
    signingMarketId: market.signingMarketId,
    priceDecimals: market.priceDecimals,
    sizeDecimals: market.sizeDecimals,
    tickSize: priceText(market, market.tickStep),
    lotSize: sizeText(market, market.lotStep),
    initialMarginPpm: market.initialMarginPpm,
    maintenanceFractionPpm: market.maintenanceFractionPpm,
    minNotional: amountText(market.minNotional),
  };
}

/** Published prices of one market; null where there is none yet. */
export function priceJson(view: VenueMarketView, venue: VenueKernel): WirePrice {
  const { market } = view;
  const { bids, asks } = venue.book(market.signingMarketId, 1);
  const orNull = (ticks: number | undefined) => (ticks ? priceText(market, ticks) : null);
  return {
    symbol: market.symbol,
    markPrice: orNull(view.markTicks),
    indexPrice: orNull(view.indexTicks),
    lastPrice: orNull(view.lastTicks),
    bestBid: orNull(bids[0]?.[0]),
    bestAsk: orNull(asks[0]?.[0]),
    openInterest: sizeText(market, view.openInterestLots),
    fundingRatePpm: view.fundingRatePpm,
    nextFundingTime: view.nextFundingAtMs,
  };
}

/** Levels as `[price, size]`, best first. */
function levelsJson(market: Market, levels: VenueLevels): readonly WireLevel[] {
  return levels.map(([ticks, lots]) => [priceText(market, ticks), sizeText(market, lots)]);
}

/** Where and when something was true. */
export interface StatePoint {
  /** Position of the last log entry in the state. */
  readonly seq: number;
  /** Time, Unix ms. */
  readonly atMs: number;
}

/** A book snapshot. */
export function bookJson(
  market: Market,
  book: { readonly bids: VenueLevels; readonly asks: VenueLevels },
  at: StatePoint,
): WireBook {
  return {
    symbol: market.symbol,
    seq: at.seq,
    ts: at.atMs,
    bids: levelsJson(market, book.bids),
    asks: levelsJson(market, book.asks),
  };
}

/** Best bid and ask; null for an empty side. */
export function bboJson(
  market: Market,
  book: { readonly bids: VenueLevels; readonly asks: VenueLevels },
  at: StatePoint,
): WireBbo {
  const [bid] = levelsJson(market, book.bids);
  const [ask] = levelsJson(market, book.asks);
  return { symbol: market.symbol, ts: at.atMs, bid: bid ?? null, ask: ask ?? null };
}

/** A public trade; its side is the taker's. */
export function tradeJson(market: Market, event: FillEvent): WireTrade {
  return {
    id: eventId(event),
    symbol: market.symbol,
    side: event.takerSide,
    price: priceText(market, event.priceTicks),
    size: sizeText(market, event.lots),
    ts: event.blockAtMs,
  };
}

/** The latest state of a bar. */
export function candleJson(market: Market, interval: CandleInterval, bar: Bar): WireCandle {
  return {
    symbol: market.symbol,
    interval,
    startTime: bar.startAtMs,
    open: priceText(market, bar.openTicks),
    high: priceText(market, bar.highTicks),
    low: priceText(market, bar.lowTicks),
    close: priceText(market, bar.closeTicks),
    volume: sizeText(market, bar.volumeLots),
    trades: bar.tradeCount,
  };
}

/** A funding settlement. */
export function fundingJson(market: Market, event: FundingEvent): WireFunding {
  return {
    symbol: market.symbol,
    ratePpm: event.ratePpm,
    indexPrice: priceText(market, event.indexTicks),
    ts: event.settledAtMs,
  };
}
