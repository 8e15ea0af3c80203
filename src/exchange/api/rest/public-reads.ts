/**
 * @module Reads without an account: time, exchange, markets, prices, book, trades, candles, funding.
 */
import { integerFrom, VERSION } from '../../../core/index.ts';
import {
  BOOK_DEPTH_DEFAULT,
  BOOK_DEPTH_MAX,
  CANDLES_MAX,
  CODEC_VERSION,
  PAGE_LIMIT_DEFAULT,
  TRADES_MAX,
  type WireCandles,
  type WireExchange,
  type WireFundingHistory,
  type WireMarkets,
  type WirePrices,
  type WireTime,
  type WireTrades,
} from '../../../wire/protocol/index.ts';
import { isCandleInterval, TOKENS } from '../../state/index.ts';
import { bookJson, candleJson, fundingJson, marketJson, priceJson, tradeJson } from '../json/market-json.ts';
import { type EndpointResult, ok, refuse } from './answer.ts';
import { isRefusal, PAGE_LIMIT, queryOf, type ReadContext, type ReadTable, selectMarket } from './read.ts';

/** Instead of the deposit contract and the token: there is no chain behind the embedded exchange. */
const NO_CONTRACT = '0x0000000000000000000000000000000000000000';

/** Handlers by endpoint. */
export const PUBLIC_READS: ReadTable = {
  time: ({ nowMs }) => ok({ serverTime: nowMs } satisfies WireTime),
  exchange: ({ settings, domain }) => ok(exchangeJson(settings, domain)),
  markets: ({ state }) =>
    ok({
      markets: state.venue.markets().map(({ market }) => marketJson(market)),
    } satisfies WireMarkets),
  market: (context) => {
    const market = selectMarket(context);
    return isRefusal(market) ? refuse(market) : ok(marketJson(market));
  },
  prices: ({ state }) =>
    ok({
      seq: state.seq,
      prices: state.venue.markets().map((view) => priceJson(view, state.venue)),
    } satisfies WirePrices),
  book: readBook,
  trades: readTrades,
  candles: readCandles,
  fundingHistory: readFunding,
};

function exchangeJson(
  { fundingIntervalMs }: ReadContext['settings'],
  domain: ReadContext['domain'],
): WireExchange {
  return {
    chainId: domain.chainId,
    domain: { ...domain },
    depositSystemAddress: NO_CONTRACT,
    tokens: TOKENS.map((token) => ({ ...token, address: NO_CONTRACT })),
    version: { pkg: VERSION, snapshotVersion: 1, codecVersion: CODEC_VERSION, buildId: 'ballast' },
    numericConventions: {
      price: 'decimal string; ticks = price x 10^priceDecimals',
      size: 'decimal string; lots = size x 10^sizeDecimals',
      amount: "decimal string in the token's decimals",
      rate: 'parts per million',
    },
    fundingIntervalMs,
  };
}

const DEPTH = integerFrom(1, BOOK_DEPTH_MAX);
const TRADE_LIMIT = integerFrom(1, TRADES_MAX);
const CANDLE_LIMIT = integerFrom(1, CANDLES_MAX);
const INSTANT = integerFrom(0);

function readBook(context: ReadContext): EndpointResult {
  const market = selectMarket(context);
  if (isRefusal(market)) return refuse(market);
  const depth = queryOf(context.query, 'depth', DEPTH, BOOK_DEPTH_DEFAULT);
  if (isRefusal(depth)) return refuse(depth);
  const { venue, seq, blockAtMs } = context.state;
  return ok(bookJson(market, venue.book(market.signingMarketId, depth), { seq, atMs: blockAtMs }));
}

function readTrades(context: ReadContext): EndpointResult {
  const market = selectMarket(context);
  if (isRefusal(market)) return refuse(market);
  const limit = queryOf(context.query, 'limit', TRADE_LIMIT, TRADES_MAX);
  if (isRefusal(limit)) return refuse(limit);
  const { trades } = context.state.history.market(market.signingMarketId);
  return ok({
    trades: trades.newest(limit).map((event) => tradeJson(market, event)),
  } satisfies WireTrades);
}

function readCandles(context: ReadContext): EndpointResult {
  const market = selectMarket(context);
  if (isRefusal(market)) return refuse(market);
  const interval = context.query.get('interval');
  if (!isCandleInterval(interval))
    return refuse({ code: 'InvalidRequest', message: 'expected interval as one the exchange offers' });
  const limit = queryOf(context.query, 'limit', CANDLE_LIMIT, PAGE_LIMIT_DEFAULT);
  if (isRefusal(limit)) return refuse(limit);
  const fromMs = queryOf(context.query, 'startTime', INSTANT, 0);
  if (isRefusal(fromMs)) return refuse(fromMs);
  const toMs = queryOf(context.query, 'endTime', INSTANT, Number.MAX_SAFE_INTEGER);
  if (isRefusal(toMs)) return refuse(toMs);
  if (toMs < fromMs)
    return refuse({ code: 'InvalidRequest', message: 'expected endTime at or after startTime' });
  const { candles } = context.state.history.market(market.signingMarketId);
  const bars = candles.list(interval, { fromMs, toMs, limit });
  return ok({ candles: bars.map((bar) => candleJson(market, interval, bar)) } satisfies WireCandles);
}

function readFunding(context: ReadContext): EndpointResult {
  const market = selectMarket(context);
  if (isRefusal(market)) return refuse(market);
  const limit = queryOf(context.query, 'limit', PAGE_LIMIT, PAGE_LIMIT_DEFAULT);
  if (isRefusal(limit)) return refuse(limit);
  const { funding } = context.state.history.market(market.signingMarketId);
  return ok({
    funding: funding
      .newest(limit)
      .map((event) => fundingJson(market, event))
      .reverse(),
  } satisfies WireFundingHistory);
}
