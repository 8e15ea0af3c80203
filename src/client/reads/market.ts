/** @module Public reads: environment, markets, fees, dexes, builders. No key, no signature, no account. */
import type { CandleInterval } from '../../domain/index.ts';
import {
  BOOK,
  BUILDER_SUMMARY,
  CANDLES,
  DEX,
  DEXES,
  EXCHANGE,
  FEES,
  FUNDING_HISTORY,
  MARKET,
  MARKETS,
  PRICES,
  TIME,
  TRADES,
} from '../../wire/protocol/index.ts';
import type { Session } from '../session.ts';
import type {
  BuilderSummary,
  Candle,
  Dex,
  ExchangeInfo,
  FeeSchedule,
  FundingSettlement,
  MarketInfo,
  MarketPrices,
  OrderBook,
  PublicTrade,
  ServerTime,
} from '../shapes.ts';

/** What a read of one market is about. */
export interface MarketParam {
  /** As `client.markets.list` shows it, for example `BTC-USD`. */
  readonly symbol: string;
}

/** What a list is cut to. */
export interface LimitParam {
  /** The most entries; the gateway has a default and a maximum (1,000 where nothing else is said). */
  readonly limit?: number | undefined;
}

/** A span of candles. */
export interface CandleQuery extends MarketParam, LimitParam {
  /** Candle interval. */
  readonly interval: CandleInterval;
  /** First start of a bar, Unix milliseconds. */
  readonly startTime?: number | undefined;
  /** Last start of a bar, Unix milliseconds. */
  readonly endTime?: number | undefined;
}

/** Reads of the environment. */
export interface EnvironmentReads {
  /**
   * The exchange's time in Unix milliseconds.
   * @throws ApiError, TransportError; `effect` is always `none`.
   * @example
   * const { serverTime } = await client.environment.time();
   * assert(serverTime > 1_600_000_000_000);
   */
  time(): Promise<ServerTime>;
  /**
   * Signing domain, chain id, tokens with their decimals, version of the exchange.
   * @throws ApiError, TransportError
   * @example
   * const { chainId, tokens } = await client.environment.info();
   * assert(chainId > 0n && tokens[0].decimals === 6);
   */
  info(): Promise<ExchangeInfo>;
}

/** Reads of markets. */
export interface MarketReads {
  /**
   * All markets with their steps, margins (parts per million) and status.
   * @throws ApiError, TransportError
   * @example
   * const markets = await client.markets.list();
   * const btc = markets.find(({ symbol }) => symbol === 'BTC-USD');
   * assert(btc.tickSize.greaterThan(0));
   */
  list(): Promise<readonly MarketInfo[]>;
  /**
   * One market.
   * @throws ApiError `NotFound` when there is none of this symbol.
   * @example
   * const { tickSize, lotSize } = await client.markets.get({ symbol: 'BTC-USD' });
   */
  get(params: MarketParam): Promise<MarketInfo>;
  /**
   * Mark, index and last price, best quotes, open interest and funding rate of all markets.
   * @throws ApiError, TransportError
   * @example
   * const [btc] = await client.markets.prices();
   * assert(btc.indexPrice === null || btc.indexPrice.greaterThan(0));
   */
  prices(): Promise<readonly MarketPrices[]>;
  /**
   * A snapshot of the book: `[price, size]` levels, best first.
   * @throws ApiError `NotFound`; ClientUsageError for a depth beyond 1 to 100.
   * @example
   * const { bids, asks } = await client.markets.book({ symbol: 'BTC-USD', depth: 5 });
   * assert(bids.length <= 5 && asks.length <= 5);
   */
  book(params: MarketParam & { readonly depth?: number | undefined }): Promise<OrderBook>;
  /**
   * The newest trades, newest first; at most 200. `side` is the taker's.
   * @throws ApiError `NotFound`
   * @example
   * const trades = await client.markets.trades({ symbol: 'BTC-USD', limit: 10 });
   */
  trades(params: MarketParam & LimitParam): Promise<readonly PublicTrade[]>;
  /**
   * Bars, oldest first. Intervals: 1m, 5m, 15m, 1h, 4h, 1d. Times are Unix milliseconds.
   * @throws ApiError `NotFound`; ClientUsageError for an unknown interval.
   * @example
   * const bars = await client.markets.candles({ symbol: 'BTC-USD', interval: '1m', limit: 60 });
   */
  candles(params: CandleQuery): Promise<readonly Candle[]>;
  /**
   * Funding settlements, oldest first; rates in parts per million, positive: longs paid.
   * @throws ApiError `NotFound`
   * @example
   * const settlements = await client.markets.funding({ symbol: 'BTC-USD', limit: 24 });
   */
  funding(params: MarketParam & LimitParam): Promise<readonly FundingSettlement[]>;
  /**
   * The fee schedule, parts per million of the notional; a negative maker rate is a rebate.
   * @throws ApiError, TransportError
   * @example
   * const { base } = await client.markets.fees();
   * assert(base.takerFeePpm >= 0);
   */
  fees(): Promise<FeeSchedule>;
}

/** Reads of builder dexes and builders. */
export interface DexReads {
  /**
   * All builder dexes.
   * @throws ApiError, TransportError
   * @example
   * const dexes = await client.dexes.list();
   */
  list(): Promise<readonly Dex[]>;
  /**
   * One builder dex with the symbols of its markets.
   * @throws ApiError `NotFound`
   * @example
   * const [first] = await client.dexes.list();
   * if (first !== undefined) await client.dexes.get({ id: first.id });
   */
  get(params: { readonly id: string }): Promise<Dex>;
  /**
   * What a builder has earned in fees, and the volume they came from, in USDC.
   * @throws ApiError `NotFound` for an address that never was a builder.
   * @example
   * await client.dexes.builder({ address }).catch((error) => assert(error.code === 'NotFound'));
   */
  builder(params: { readonly address: string }): Promise<BuilderSummary>;
}

/** The reads of the environment over a session. */
export function environmentReads(session: Session): EnvironmentReads {
  return {
    time: () => session.read({ endpoint: 'time' }, TIME),
    info: () => session.read({ endpoint: 'exchange' }, EXCHANGE),
  };
}

/** The reads of markets over a session. */
export function marketReads(session: Session): MarketReads {
  return {
    list: async () => (await session.read({ endpoint: 'markets' }, MARKETS)).markets,
    get: ({ symbol }) => session.read({ endpoint: 'market', path: { symbol } }, MARKET),
    prices: async () => (await session.read({ endpoint: 'prices' }, PRICES)).prices,
    book: ({ symbol, depth }) => session.read({ endpoint: 'book', path: { symbol }, query: { depth } }, BOOK),
    trades: async ({ symbol, limit }) =>
      (await session.read({ endpoint: 'trades', path: { symbol }, query: { limit } }, TRADES)).trades,
    candles: async ({ symbol, ...query }) =>
      (await session.read({ endpoint: 'candles', path: { symbol }, query }, CANDLES)).candles,
    funding: async ({ symbol, limit }) =>
      (
        await session.read(
          { endpoint: 'fundingHistory', path: { symbol }, query: { limit } },
          FUNDING_HISTORY,
        )
      ).funding,
    fees: () => session.read({ endpoint: 'fees' }, FEES),
  };
}

/** The reads of dexes over a session. */
export function dexReads(session: Session): DexReads {
  return {
    list: async () => (await session.read({ endpoint: 'dexes' }, DEXES)).dexes,
    get: ({ id }) => session.read({ endpoint: 'dex', path: { id } }, DEX),
    builder: ({ address }) =>
      session.read({ endpoint: 'builderSummary', path: { address } }, BUILDER_SUMMARY),
  };
}
