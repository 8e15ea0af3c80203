/** @module What the environment and its markets answer. Prices and sizes are Decimals, times Unix milliseconds. */
import {
  anything,
  choice,
  decimal,
  id,
  integer,
  list,
  nullable,
  optional,
  pair,
  position,
  type Read,
  record,
  text,
} from '../shape.ts';

/** GET /v1/time. */
export const TIME = record({ serverTime: integer });
/** Unix milliseconds by the exchange's clock. */
export type Time = Read<typeof TIME>;

/** GET /v1/exchange. */
export const EXCHANGE = record({
  chainId: position,
  domain: anything,
  depositSystemAddress: optional(text),
  tokens: list(
    record({ token: integer, symbol: optional(text), decimals: integer, address: optional(text) }),
  ),
  version: anything,
  numericConventions: anything,
  fundingIntervalMs: optional(integer),
});
/** Signing domain, chain id, tokens with their decimals, version, length of a funding interval in ms. */
export type Exchange = Read<typeof EXCHANGE>;

/** One market of GET /v1/markets. */
export const MARKET = record({
  symbol: text,
  kind: optional(text),
  status: text,
  signingMarketId: integer,
  priceDecimals: integer,
  sizeDecimals: integer,
  tickSize: decimal,
  lotSize: decimal,
  initialMarginPpm: optional(integer),
  maintenanceFractionPpm: optional(integer),
  minNotional: optional(decimal),
});
/** A market: its steps in price and size, its margins in parts per million, the smallest notional in USDC. */
export type MarketInfo = Read<typeof MARKET>;

/** Published prices of one market. */
export const PRICE = record({
  symbol: text,
  markPrice: nullable(decimal),
  indexPrice: nullable(decimal),
  lastPrice: nullable(decimal),
  bestBid: nullable(decimal),
  bestAsk: nullable(decimal),
  openInterest: nullable(decimal),
  fundingRatePpm: optional(integer),
  nextFundingTime: optional(integer),
});
/** Prices of one market; null where there is none. The funding rate is of the current interval, positive: longs pay. */
export type Price = Read<typeof PRICE>;

/** GET /v1/prices. */
export const PRICES = record({ seq: optional(position), prices: list(PRICE) });

const LEVEL = pair(decimal, decimal);

/** GET /v1/markets/{symbol}/book and frames of the `book` channel. */
export const BOOK = record({
  symbol: text,
  seq: optional(position),
  ts: optional(integer),
  bids: list(LEVEL),
  asks: list(LEVEL),
});
/** A book: levels are `[price, size]`, bids falling, asks rising. */
export type OrderBook = Read<typeof BOOK>;

/** Frames of the `bbo` channel. */
export const BBO = record({
  symbol: text,
  ts: optional(integer),
  bid: nullable(LEVEL),
  ask: nullable(LEVEL),
});
/** Best bid and ask as `[price, size]`; null for an empty side. */
export type BestQuotes = Read<typeof BBO>;

/** One public trade. */
export const TRADE = record({
  id: id,
  symbol: text,
  side: choice('buy', 'sell'),
  price: decimal,
  size: decimal,
  ts: integer,
});
/** A public trade; `side` is the taker's. */
export type PublicTrade = Read<typeof TRADE>;

/** GET /v1/markets/{symbol}/trades. */
export const TRADES = record({ trades: list(TRADE) });

/** One bar. */
export const CANDLE = record({
  symbol: text,
  interval: text,
  startTime: integer,
  open: decimal,
  high: decimal,
  low: decimal,
  close: decimal,
  volume: decimal,
  trades: optional(integer),
});
/** A bar; on the stream its latest state, which replaces the one before. */
export type CandleBar = Read<typeof CANDLE>;

/** GET /v1/markets/{symbol}/candles. */
export const CANDLES = record({ candles: list(CANDLE) });

/** One funding settlement. */
export const FUNDING = record({
  symbol: text,
  ratePpm: integer,
  indexPrice: nullable(decimal),
  ts: integer,
});
/** A funding settlement: rate in parts per million, positive: longs paid. */
export type FundingSettlement = Read<typeof FUNDING>;

/** GET /v1/markets/{symbol}/funding. */
export const FUNDING_HISTORY = record({ funding: list(FUNDING) });

/** GET /v1/fees. */
export const FEES = record({
  base: record({ takerFeePpm: integer, makerFeePpm: integer }),
  tiers: list(record({ tier: integer, volume: decimal, takerFeePpm: integer, makerFeePpm: integer })),
});
/** The fee schedule in parts per million of the notional; a negative maker rate is a rebate. */
export type FeeSchedule = Read<typeof FEES>;

/** GET /v1/dexes/{id}. */
export const DEX = record({
  id: id,
  name: text,
  deployer: text,
  symbols: list(text),
  feeScalePpm: optional(integer),
  deployerFeePpm: optional(integer),
});
/** A builder dex with the symbols of its markets; its fees in parts per million. */
export type Dex = Read<typeof DEX>;

/** GET /v1/dexes. */
export const DEXES = record({ dexes: list(DEX) });

/** GET /v1/builders/{address}/summary. */
export const BUILDER_SUMMARY = record({
  builder: text,
  accountId: optional(integer),
  feesEarned: decimal,
  volume: decimal,
});
/** What a builder has earned in fees, and the volume they came from, in USDC. */
export type BuilderSummary = Read<typeof BUILDER_SUMMARY>;
