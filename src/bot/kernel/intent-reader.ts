/**
 * @module
 * Intents as strategies make them, to wanted quotes and order specs, or to why they cannot be used. Strategies are code
 * of others: every field is looked at, and nothing they send can make this throw.
 */
import { isRecord, type UnixMs } from '../../core/index.ts';
import type {
  ClientOrderId,
  IntentId,
  Market,
  MarketSymbol,
  OrderSpec,
  QuoteLevel,
  Side,
  StrategyId,
  TimeInForce,
} from '../../domain/index.ts';
import { TIMES_IN_FORCE } from '../../domain/index.ts';
import { IntentProblem, isProblem, levelOf, levelsOf } from './levels.ts';

/** Wanted quotes in ticks and lots. */
export interface WantedQuotes {
  readonly symbol: MarketSymbol;
  readonly bids: readonly QuoteLevel[];
  readonly asks: readonly QuoteLevel[];
  /** Deviation up to which an order stays, ticks and lots. */
  readonly tolerance: { readonly priceTicks: number; readonly sizeLots: number };
  readonly timeInForce: TimeInForce;
}

/** Who asks, and under which names. */
export interface SpecNames {
  readonly intentId: IntentId;
  readonly strategyId: StrategyId;
}

const EXACT: WantedQuotes['tolerance'] = Object.freeze({ priceTicks: 0, sizeLots: 0 });

/** A target as wanted quotes. */
export function readTarget(market: Market, target: unknown, options: unknown): WantedQuotes | IntentProblem {
  // Getters and proxies are code too: what they throw is about the intent, and stops only its author.
  try {
    return targetOf(market, target, options);
  } catch {
    return malformed('a target that can be read');
  }
}

/** An order draft as a spec. */
export function readDraft(
  market: Market,
  draft: unknown,
  context: { readonly names: SpecNames; readonly serverNowMs: UnixMs },
): OrderSpec | IntentProblem {
  try {
    return orderOf(market, draft, context);
  } catch {
    return malformed('an order that can be read');
  }
}

function targetOf(market: Market, target: unknown, options: unknown): WantedQuotes | IntentProblem {
  if (!isRecord(target) || !isRecord(options)) return malformed('a target with bids and asks');
  const bids = levelsOf(market, target['bids']);
  if (isProblem(bids)) return bids;
  const asks = levelsOf(market, target['asks']);
  if (isProblem(asks)) return asks;
  const { priceToleranceTicks = 0, sizeToleranceLots = 0, timeInForce = 'postOnly' } = options;
  if (!isTolerance(priceToleranceTicks) || !isTolerance(sizeToleranceLots))
    return malformed('tolerances that are not negative');
  if (timeInForce !== 'postOnly' && timeInForce !== 'gtc')
    return malformed('quotes that are postOnly or gtc');
  const isExact = priceToleranceTicks === 0 && sizeToleranceLots === 0;
  const tolerance = isExact ? EXACT : { priceTicks: priceToleranceTicks, sizeLots: sizeToleranceLots };
  return { symbol: market.symbol, bids, asks, tolerance, timeInForce };
}

function orderOf(
  market: Market,
  draft: unknown,
  context: { readonly names: SpecNames; readonly serverNowMs: UnixMs },
): OrderSpec | IntentProblem {
  if (!isRecord(draft)) return malformed('an order made by the order factory');
  const { side, timeInForce, reduceOnly, expiresInMs } = draft;
  if (side !== 'buy' && side !== 'sell') return malformed('a side of buy or sell');
  const tif = TIMES_IN_FORCE.find((known) => known === timeInForce);
  if (tif === undefined) return malformed(`a time in force of ${TIMES_IN_FORCE.join(', ')}`);
  if (typeof reduceOnly !== 'boolean') return malformed('a reduce-only flag');
  const isExpiryRight =
    expiresInMs === undefined || (typeof expiresInMs === 'number' && expiresInMs > 0 && expiresInMs < 1e9);
  if (!isExpiryRight) return malformed('an expiry in milliseconds above zero');
  const level = levelOf(market, draft);
  if (isProblem(level)) return level;
  const expiresAtMs =
    expiresInMs === undefined ? 0 : ((context.serverNowMs + Math.ceil(expiresInMs)) as UnixMs);
  const terms: OrderTerms = { symbol: market.symbol, side, timeInForce: tif, reduceOnly, expiresAtMs };
  return specOf(context.names, terms, level);
}

/** What is asked of an order apart from its price and size. */
export interface OrderTerms {
  readonly symbol: MarketSymbol;
  readonly side: Side;
  readonly timeInForce: TimeInForce;
  /** True: the order may only make a position smaller. */
  readonly reduceOnly: boolean;
  readonly expiresAtMs: UnixMs | 0;
}

/** A spec from its parts. The label carries the intent's id, for people. */
export function specOf(names: SpecNames, terms: OrderTerms, level: QuoteLevel): OrderSpec {
  return {
    intentId: names.intentId,
    strategyId: names.strategyId,
    symbol: terms.symbol,
    side: terms.side,
    priceTicks: level.priceTicks,
    sizeLots: level.sizeLots,
    timeInForce: terms.timeInForce,
    reduceOnly: terms.reduceOnly,
    clientOrderId: names.intentId as string as ClientOrderId,
    expiresAtMs: terms.expiresAtMs,
  };
}

function isTolerance(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}

function malformed(expected: string): IntentProblem {
  return new IntentProblem('INTENT_MALFORMED', `expected ${expected}, got something else`);
}
