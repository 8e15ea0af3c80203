/**
 * @module
 * Reads of one market's public data: trades, candles, funding. All throw what `Reader.read` throws.
 */
import type { Candle, CandleInterval, FundingRate, MarketSymbol, Trade } from '../../../../domain/index.ts';
import {
  type DecodeContext,
  decodeCandles,
  decodeFundingHistory,
  decodeTrades,
} from '../../../protocol/index.ts';
import type { Reader } from '../read.ts';

/** A market and the numbers to read its data by. */
export interface MarketReadOptions {
  readonly symbol: MarketSymbol;
  readonly context: DecodeContext;
}

/** The newest trades, newest first; at most 200. */
export function readTrades(
  reader: Reader,
  { symbol, context }: MarketReadOptions,
): Promise<readonly Trade[]> {
  return reader.read({ endpoint: 'trades', path: { symbol } }, (text) => decodeTrades(text, context));
}

/** The newest `limit` candles of one interval, oldest first. */
export function readCandles(
  reader: Reader,
  {
    symbol,
    context,
    interval,
    limit,
  }: MarketReadOptions & { readonly interval: CandleInterval; readonly limit?: number },
): Promise<readonly Candle[]> {
  return reader.read({ endpoint: 'candles', path: { symbol }, query: { interval, limit } }, (text) =>
    decodeCandles(text, context),
  );
}

/** The funding settlements, oldest first. */
export function readFundingHistory(
  reader: Reader,
  { symbol, context }: MarketReadOptions,
): Promise<readonly FundingRate[]> {
  return reader.read({ endpoint: 'fundingHistory', path: { symbol } }, (text) =>
    decodeFundingHistory(text, context),
  );
}
