/**
 * @module
 * Prices, best quotes, trades, candles and funding: readers of single entries (shared by frames and answers) and the
 * decoders of the answers.
 */
import type { UnixMs } from '../../../core/index.ts';
import {
  type Bbo,
  CANDLE_INTERVALS,
  type Candle,
  type Cursor,
  type FundingRate,
  type Lots,
  type Market,
  type MarketSymbol,
  type Ppm,
  type Prices,
  type Ticks,
  type Trade,
} from '../../../domain/index.ts';
import {
  choiceOf,
  type DecodeContext,
  type Decoded,
  decoded,
  eachOf,
  type Fields,
  idOf,
  integerOf,
  malformed,
  marketOf,
  objectOf,
  optionalInteger,
  optionalPrice,
  optionalSize,
  priceOf,
  sizeOf,
  textOf,
} from './fields.ts';

function readPrices(fields: Fields, context: DecodeContext): Prices {
  const market = marketOf(fields, context);
  return {
    symbol: market.symbol,
    markTicks: optionalPrice(fields, 'markPrice', market),
    indexTicks: optionalPrice(fields, 'indexPrice', market),
    lastTicks: optionalPrice(fields, 'lastPrice', market),
    fundingRatePpm: optionalInteger(fields, 'fundingRatePpm', undefined) as Ppm | undefined,
    nextFundingAtMs: optionalInteger(fields, 'nextFundingTime', undefined) as UnixMs | undefined,
    openInterestLots: optionalSize(fields, 'openInterest', market),
  };
}

/** Best quotes; the receive time is the caller's. */
export function readBbo(fields: Fields, context: DecodeContext): Omit<Bbo, 'receivedAtMs'> {
  const market = marketOf(fields, context);
  const bid = readLevel(fields, 'bid', market);
  const ask = readLevel(fields, 'ask', market);
  return {
    symbol: market.symbol,
    bidTicks: bid?.priceTicks,
    bidLots: bid?.sizeLots,
    askTicks: ask?.priceTicks,
    askLots: ask?.sizeLots,
  };
}

function readLevel(
  fields: Fields,
  name: string,
  market: Market,
): { readonly priceTicks: Ticks; readonly sizeLots: Lots } | undefined {
  const level = fields[name];
  if (level === undefined || level === null) return undefined;
  if (!Array.isArray(level)) throw malformed(`${name} as a pair`, level);
  const pair: Fields = { price: level[0], size: level[1] };
  return { priceTicks: priceOf(pair, 'price', market), sizeLots: sizeOf(pair, 'size', market) };
}

/** One public trade. */
export function readTrade(fields: Fields, context: DecodeContext): Trade {
  const market = marketOf(fields, context);
  return {
    id: idOf(fields, 'id') as Cursor,
    symbol: market.symbol,
    aggressor: choiceOf(fields, 'side', ['buy', 'sell']),
    priceTicks: priceOf(fields, 'price', market),
    sizeLots: sizeOf(fields, 'size', market),
    atMs: integerOf(fields, 'ts') as UnixMs,
  };
}

/** One bar. */
export function readCandle(fields: Fields, context: DecodeContext): Candle {
  const market = marketOf(fields, context);
  return {
    symbol: market.symbol,
    interval: choiceOf(fields, 'interval', CANDLE_INTERVALS),
    startAtMs: integerOf(fields, 'startTime') as UnixMs,
    openTicks: priceOf(fields, 'open', market),
    highTicks: priceOf(fields, 'high', market),
    lowTicks: priceOf(fields, 'low', market),
    closeTicks: priceOf(fields, 'close', market),
    volumeLots: sizeOf(fields, 'volume', market),
    tradeCount: optionalInteger(fields, 'trades', 0),
  };
}

/** One funding settlement. */
export function readFunding(fields: Fields, context: DecodeContext): FundingRate {
  const market = marketOf(fields, context);
  return {
    symbol: market.symbol,
    ratePpm: integerOf(fields, 'ratePpm') as Ppm,
    atMs: integerOf(fields, 'ts') as UnixMs,
  };
}

/** The prices of known markets: one that is new, or that was refused at the start, must not take the others' away. */
export function readKnownPrices(fields: Fields, context: DecodeContext): readonly Prices[] {
  return eachOf(fields, 'prices', (item) => {
    const isKnown = context.market(textOf(item, 'symbol') as MarketSymbol) !== undefined;
    return isKnown ? [readPrices(item, context)] : [];
  }).flat();
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

function decodeEach<T>(text: string, name: string, read: (item: Fields) => T): Decoded<readonly T[]> {
  return decoded(text, (value) => eachOf(objectOf(value, 'answer'), name, read));
}
