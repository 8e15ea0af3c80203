/** @module Orders that strategies ask for as specs: names, terms, price and size. */
import type { UnixMs } from '../../core/index.ts';
import type {
  ClientOrderId,
  IntentId,
  MarketSymbol,
  OrderSpec,
  QuoteLevel,
  Side,
  StrategyId,
  TimeInForce,
} from '../../domain/index.ts';

/** Who asks, and under which names. */
export interface SpecNames {
  readonly intentId: IntentId;
  readonly strategyId: StrategyId;
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
