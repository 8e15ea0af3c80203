/**
 * @module
 * Intents as strategies make them, to wanted quotes and order specs, or to why they cannot be used. Strategies are code
 * of others: every field is looked at, and nothing they send can make this throw.
 */
import { isRecord, type UnixMs } from '../../core/index.ts';
import type {
  Market,
  MarketSymbol,
  OrderSpec,
  QuoteLevel,
  TimeInForce,
  Trigger,
} from '../../domain/index.ts';
import { TIMES_IN_FORCE } from '../../domain/index.ts';
import type { Intent } from '../strategy/index.ts';
import { IntentProblem, isProblem, levelOf, levelsOf, priceOf } from './levels.ts';
import { type OrderTerms, specOf } from './order-spec.ts';
import { readTpsl, type TpslContext } from './tpsl-reader.ts';
import { readTwap, type TwapContext } from './twap-reader.ts';

/** Wanted quotes in ticks and lots. */
export interface WantedQuotes {
  readonly symbol: MarketSymbol;
  readonly bids: readonly QuoteLevel[];
  readonly asks: readonly QuoteLevel[];
  /** Deviation up to which an order stays, ticks and lots. */
  readonly tolerance: { readonly priceTicks: number; readonly sizeLots: number };
  readonly timeInForce: TimeInForce;
  /** How long each order lives, ms; 0: as long as it is wanted. */
  readonly lifetimeMs: number;
}

/** The shortest life of a quote with an end, ms: it is renewed before it ends, by a write of its own. */
const QUOTE_LIFETIME_MS_MIN = 2_000;

const EXACT: WantedQuotes['tolerance'] = Object.freeze({ priceTicks: 0, sizeLots: 0 });

/** A target as wanted quotes. `lifetimeMs`: of quotes that state none themselves; 0: no end. */
export function readTarget(
  market: Market,
  target: unknown,
  options: unknown,
  lifetimeMs = 0,
): WantedQuotes | IntentProblem {
  // Getters and proxies are code too: what they throw is about the intent, and stops only its author.
  try {
    return targetOf(market, target, options, lifetimeMs);
  } catch {
    return malformed('a target that can be read');
  }
}

/** What an order is read with. */
export interface DraftContext extends TwapContext, TpslContext {
  readonly serverNowMs: UnixMs;
  /** The life of an order that may rest and states none itself, ms; absent or 0: no end. */
  readonly lifetimeMs?: number;
}

/** An intent that asks for one order, or for the legs of a position. */
export type OrderIntent = Extract<Intent, { readonly order: unknown }>;

/** The orders that an intent asks for as specs: one, or the legs of a position. They go into one write. */
export function readDraft(
  market: Market,
  intent: OrderIntent,
  context: DraftContext,
): readonly OrderSpec[] | IntentProblem {
  try {
    if (intent.kind === 'placeTpsl') {
      const draft: unknown = intent.order;
      return isRecord(draft) ? readTpsl(market, draft, context) : malformed('a draft with legs');
    }
    const spec = orderOf(market, intent, context);
    return isProblem(spec) ? spec : [spec];
  } catch {
    return malformed('an order that can be read');
  }
}

function targetOf(
  market: Market,
  target: unknown,
  options: unknown,
  defaultMs: number,
): WantedQuotes | IntentProblem {
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
  const lifetimeMs = lifetimeOf(options['expiresInMs'], defaultMs, QUOTE_LIFETIME_MS_MIN);
  if (lifetimeMs === undefined)
    return malformed(`quotes that live for ${QUOTE_LIFETIME_MS_MIN} ms at least, or \`none\` for no end`);
  const isExact = priceToleranceTicks === 0 && sizeToleranceLots === 0;
  const tolerance = isExact ? EXACT : { priceTicks: priceToleranceTicks, sizeLots: sizeToleranceLots };
  return { symbol: market.symbol, bids, asks, tolerance, timeInForce, lifetimeMs };
}

function orderOf(
  market: Market,
  intent: Exclude<OrderIntent, { readonly kind: 'placeTpsl' }>,
  context: DraftContext,
): OrderSpec | IntentProblem {
  const draft: unknown = intent.order;
  if (!isRecord(draft)) return malformed('an order made by the order factory');
  if (intent.kind === 'placeTwap') return readTwap(market, draft, context);
  const isWaiting = intent.kind === 'placeConditional';
  const { side, timeInForce, reduceOnly, expiresInMs } = draft;
  if (side !== 'buy' && side !== 'sell') return malformed('a side of buy or sell');
  const tif = TIMES_IN_FORCE.find((known) => known === timeInForce);
  if (tif === undefined) return malformed(`a time in force of ${TIMES_IN_FORCE.join(', ')}`);
  if (typeof reduceOnly !== 'boolean') return malformed('a reduce-only flag');
  // What takes at once or not at all has no life that could end.
  // What waits for its trigger is wanted for as long as it waits.
  const canRest = (tif === 'gtc' || tif === 'postOnly') && !isWaiting;
  const lifetimeMs = lifetimeOf(expiresInMs, canRest ? context.lifetimeMs : 0, 0);
  if (lifetimeMs === undefined) return malformed('an expiry in milliseconds above zero, or `none`');
  const level = levelOf(market, draft);
  if (isProblem(level)) return level;
  const expiresAtMs = lifetimeMs === 0 ? 0 : ((context.serverNowMs + Math.ceil(lifetimeMs)) as UnixMs);
  const terms: OrderTerms = { symbol: market.symbol, side, timeInForce: tif, reduceOnly, expiresAtMs };
  const spec = specOf(context.names, terms, level);
  if (!isWaiting) return spec;
  const trigger = triggerOf(market, intent.trigger);
  return isProblem(trigger) ? trigger : { ...spec, trigger };
}

function triggerOf(market: Market, draft: unknown): Trigger | IntentProblem {
  if (!isRecord(draft)) return malformed('a trigger');
  const { triggerTicks, triggerPrice, when } = draft;
  if (when !== 'atOrAbove' && when !== 'atOrBelow') return malformed('a trigger atOrAbove or atOrBelow');
  const priceTicks = priceOf(market, triggerTicks, triggerPrice);
  return typeof priceTicks === 'object' ? priceTicks : { priceTicks, isAbove: when === 'atOrAbove' };
}

function isTolerance(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}

/** What was stated, else the default, ms; 0: no end; `undefined`: what was stated is no lifetime. */
function lifetimeOf(stated: unknown, defaultMs = 0, leastMs: number): number | undefined {
  if (stated === undefined) return defaultMs;
  if (stated === 'none') return 0;
  return typeof stated === 'number' && stated > 0 && stated >= leastMs && stated < 1e9 ? stated : undefined;
}

function malformed(expected: string): IntentProblem {
  return new IntentProblem('INTENT_MALFORMED', `expected ${expected}, got something else`);
}
