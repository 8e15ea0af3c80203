/**
 * @module
 * What the environment and its markets answer. Times are Unix milliseconds, rates parts per million, positive funding: longs
 * pay.
 */
import { asItCame, assumed, assumedOrNull, list, nullable, pair, record } from './schema.ts';
import {
  amount,
  id,
  integer,
  position,
  ppm,
  price,
  seq,
  side,
  size,
  text,
  timestamp,
  word,
} from './values.ts';

/** GET /v1/time. */
export const TIME = record({ serverTime: timestamp });

/** A token of the exchange. */
const TOKEN = record({
  token: integer,
  symbol: assumed(text),
  decimals: integer,
  address: assumed(text),
});

/** GET /v1/exchange. */
export const EXCHANGE = record({
  chainId: position,
  domain: asItCame(record({ name: text, version: text, chainId: integer, verifyingContract: text })),
  depositSystemAddress: assumed(text),
  tokens: list(TOKEN),
  version: asItCame(record({ pkg: text, snapshotVersion: integer, codecVersion: integer, buildId: text })),
  numericConventions: asItCame(record({ price: text, size: text, amount: text, rate: text })),
  fundingIntervalMs: assumed(integer),
});

/** An entry of GET /v1/markets. A status that is not known is not tradable. */
export const MARKET = record({
  symbol: text,
  kind: assumed(word('perp')),
  status: text,
  signingMarketId: integer,
  priceDecimals: integer,
  sizeDecimals: integer,
  tickSize: price,
  lotSize: size,
  initialMarginPpm: assumed(ppm),
  maintenanceFractionPpm: assumed(ppm),
  minNotional: assumed(amount),
});

/** GET /v1/markets. */
export const MARKETS = record({ markets: list(MARKET) });

/** One market in GET /v1/prices and on the `prices` channel. */
export const PRICE = record({
  symbol: text,
  markPrice: nullable(price),
  indexPrice: nullable(price),
  lastPrice: nullable(price),
  bestBid: nullable(price),
  bestAsk: nullable(price),
  openInterest: assumedOrNull(size),
  fundingRatePpm: assumed(ppm),
  nextFundingTime: assumed(timestamp),
});

/** GET /v1/prices. */
export const PRICES = record({ seq: assumed(seq), prices: list(PRICE) });

/** `[price, size]`. */
const LEVEL = pair(price, size);

/** GET /v1/markets/{symbol}/book and `data` of the `book` channel: bids descending, asks ascending. */
export const BOOK = record({
  symbol: text,
  seq: assumed(seq),
  ts: assumed(timestamp),
  bids: list(LEVEL),
  asks: list(LEVEL),
});

/** `data` of the `bbo` channel. */
export const BBO = record({
  symbol: text,
  ts: assumed(timestamp),
  bid: nullable(LEVEL),
  ask: nullable(LEVEL),
});

/** A public trade; `side` is the taker's. */
export const TRADE = record({ id, symbol: text, side, price, size, ts: timestamp });

/** GET /v1/markets/{symbol}/trades: newest first, at most 200. */
export const TRADES = record({ trades: list(TRADE) });

/** One bar. */
export const CANDLE = record({
  symbol: text,
  interval: word('1m', '5m', '15m', '1h', '4h', '1d'),
  startTime: timestamp,
  open: price,
  high: price,
  low: price,
  close: price,
  volume: size,
  trades: assumed(integer),
});

/** GET /v1/markets/{symbol}/candles: ascending. */
export const CANDLES = record({ candles: list(CANDLE) });

/** One funding settlement. */
export const FUNDING = record({
  symbol: text,
  ratePpm: ppm,
  indexPrice: assumedOrNull(price),
  ts: timestamp,
});

/** GET /v1/markets/{symbol}/funding: ascending. */
export const FUNDING_HISTORY = record({ funding: list(FUNDING) });

/** GET /v1/fees; a negative maker rate is a rebate. */
export const FEES = record({
  base: record({ takerFeePpm: ppm, makerFeePpm: ppm }),
  tiers: list(record({ tier: integer, volume: amount, takerFeePpm: ppm, makerFeePpm: ppm })),
});

/** GET /v1/dexes/{id}: markets that another party deployed, and what trading there costs on top. */
export const DEX = record({
  id,
  name: text,
  deployer: text,
  symbols: list(text),
  /** Fraction of the protocol's taker rate that comes on top. */
  feeScalePpm: assumed(ppm),
  /** What the deployer receives of each taker's notional. */
  deployerFeePpm: assumed(ppm),
});

/** GET /v1/dexes. */
export const DEXES = record({ dexes: list(DEX) });

/** GET /v1/builders/{address}/summary. `accountId` is the `router` of orders that pay this builder. */
export const BUILDER_SUMMARY = record({
  builder: text,
  accountId: assumed(integer),
  feesEarned: amount,
  /** Notional that the orders it routed have taken. */
  volume: amount,
});
