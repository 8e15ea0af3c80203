/**
 * @module
 * Reads about the environment: time, exchange info, markets, prices, fees. Public, without a signature. All throw what
 * `Reader.read` throws.
 */
import type { UnixMs } from '../../../../core/index.ts';
import type { Market, MarketSymbol, Prices } from '../../../../domain/index.ts';
import {
  type DecodeContext,
  type Decoded,
  decodeExchange,
  decodeMarket,
  decodeMarkets,
  decodePrices,
  decodeTime,
  type ExchangeInfo,
  type MarketTable,
  type WireFees,
} from '../../../protocol/index.ts';
import type { Reader } from '../read.ts';
import { decodeList } from './decode-list.ts';

/** The exchange's time. For the clock's offset see `ServerClock`. */
export function readTime(reader: Reader): Promise<UnixMs> {
  return reader.read({ endpoint: 'time' }, decodeTime);
}

/** Signing domain, chain id, tokens, version: read per environment, never hard-coded (obligation O3). */
export function readExchange(reader: Reader): Promise<ExchangeInfo> {
  return reader.read({ endpoint: 'exchange' }, decodeExchange);
}

/** All markets; those that cannot be traded exactly are listed apart with the reason. */
export function readMarkets(reader: Reader, collateralDecimals: number): Promise<MarketTable> {
  return reader.read({ endpoint: 'markets' }, (text) => decodeMarkets(text, collateralDecimals));
}

/** One market. */
export function readMarket(
  reader: Reader,
  symbol: MarketSymbol,
  collateralDecimals: number,
): Promise<Market> {
  return reader.read({ endpoint: 'market', path: { symbol } }, (text) =>
    decodeMarket(text, collateralDecimals),
  );
}

/** The published prices of all markets. */
export function readPrices(reader: Reader, context: DecodeContext): Promise<readonly Prices[]> {
  return reader.read({ endpoint: 'prices' }, (text) => decodePrices(text, context));
}

/** The fee schedule: base rates and tiers in parts per million, maker rates negative for a rebate. */
export function readFees(reader: Reader): Promise<WireFees> {
  return reader.read({ endpoint: 'fees' }, decodeFees);
}

function decodeFees(text: string): Decoded<WireFees> {
  return decodeList(text, 'tiers', (tiers, answer) => ({ ...answer, tiers }) as unknown as WireFees);
}
