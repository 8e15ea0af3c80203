/**
 * @module
 * Prices, best quotes, trades, candles and funding as the bot's own records: readers of single entries (shared by frames and
 * answers) and the decoders of the answers.
 */
import { eachOf, fieldOf, type JsonObject, objectOf, oneOf, TEXT } from '../../../core/index.ts';
import {
  type Bbo,
  CANDLE_INTERVALS,
  type Candle,
  type Cursor,
  type FundingRate,
  type MarketSymbol,
  type Prices,
  type Trade,
} from '../../../domain/index.ts';
import { BBO, CANDLE, FUNDING, PRICE, TRADE } from '../schema/market.ts';
import { exactly } from '../schema/schema.ts';
import type { Decoded } from './decoded.ts';
import { type DecodeContext, decoded, marketOf, scaleOf } from './fields.ts';

const exactPrice = exactly(PRICE);

function readPrices(fields: JsonObject, context: DecodeContext): Prices {
  const market = marketOf(fields, context);
  const scale = scaleOf(market, context);
  return {
    symbol: market.symbol,
    markTicks: exactPrice.markPrice(fields, scale) ?? undefined,
    indexTicks: exactPrice.indexPrice(fields, scale) ?? undefined,
    lastTicks: exactPrice.lastPrice(fields, scale) ?? undefined,
    fundingRatePpm: exactPrice.fundingRatePpm(fields, scale),
    nextFundingAtMs: exactPrice.nextFundingTime(fields, scale),
    openInterestLots: exactPrice.openInterest(fields, scale) ?? undefined,
  };
}

/** The prices of known markets: one that is new, or that was refused at the start, must not take the others' away. */
export function readKnownPrices(fields: JsonObject, context: DecodeContext): readonly Prices[] {
  return eachOf(fields, 'prices', (item) => {
    const isKnown = context.market(fieldOf(item, 'symbol', TEXT) as MarketSymbol) !== undefined;
    return isKnown ? [readPrices(item, context)] : [];
  }).flat();
}

const exactBbo = exactly(BBO);

/** Best quotes; the receive time is the caller's. */
export function readBbo(fields: JsonObject, context: DecodeContext): Omit<Bbo, 'receivedAtMs'> {
  const market = marketOf(fields, context);
  const scale = scaleOf(market, context);
  const bid = exactBbo.bid(fields, scale);
  const ask = exactBbo.ask(fields, scale);
  return {
    symbol: market.symbol,
    bidTicks: bid?.[0],
    bidLots: bid?.[1],
    askTicks: ask?.[0],
    askLots: ask?.[1],
  };
}

const exactTrade = exactly(TRADE);

/** One public trade. */
export function readTrade(fields: JsonObject, context: DecodeContext): Trade {
  const market = marketOf(fields, context);
  const scale = scaleOf(market, context);
  return {
    id: exactTrade.id(fields, scale) as Cursor,
    symbol: market.symbol,
    aggressor: exactTrade.side(fields, scale),
    priceTicks: exactTrade.price(fields, scale),
    sizeLots: exactTrade.size(fields, scale),
    atMs: exactTrade.ts(fields, scale),
  };
}

const exactCandle = exactly(CANDLE);
const INTERVAL = oneOf(...CANDLE_INTERVALS);

/** One bar. */
export function readCandle(fields: JsonObject, context: DecodeContext): Candle {
  const market = marketOf(fields, context);
  const scale = scaleOf(market, context);
  return {
    symbol: market.symbol,
    interval: fieldOf(fields, 'interval', INTERVAL),
    startAtMs: exactCandle.startTime(fields, scale),
    openTicks: exactCandle.open(fields, scale),
    highTicks: exactCandle.high(fields, scale),
    lowTicks: exactCandle.low(fields, scale),
    closeTicks: exactCandle.close(fields, scale),
    volumeLots: exactCandle.volume(fields, scale),
    tradeCount: exactCandle.trades(fields, scale) ?? 0,
  };
}

const exactFunding = exactly(FUNDING);

/** One funding settlement. */
export function readFunding(fields: JsonObject, context: DecodeContext): FundingRate {
  const market = marketOf(fields, context);
  const scale = scaleOf(market, context);
  return {
    symbol: market.symbol,
    ratePpm: exactFunding.ratePpm(fields, scale),
    indexTicks: exactFunding.indexPrice(fields, scale) ?? undefined,
    atMs: exactFunding.ts(fields, scale),
  };
}

/** The answer of GET /v1/markets/{symbol}/trades, newest first as it comes. */
export function decodeTrades(text: string, context: DecodeContext): Decoded<readonly Trade[]> {
  return decodeEach(text, 'trades', (item) => readTrade(item, context));
}

/** The answer of GET /v1/markets/{symbol}/candles, oldest first. */
export function decodeCandles(text: string, context: DecodeContext): Decoded<readonly Candle[]> {
  return decodeEach(text, 'candles', (item) => readCandle(item, context));
}

/** The answer of GET /v1/markets/{symbol}/funding, oldest first. */
export function decodeFundingHistory(text: string, context: DecodeContext): Decoded<readonly FundingRate[]> {
  return decodeEach(text, 'funding', (item) => readFunding(item, context));
}

function decodeEach<T>(text: string, name: string, read: (item: JsonObject) => T): Decoded<readonly T[]> {
  return decoded(text, (value) => eachOf(objectOf(value), name, read));
}
