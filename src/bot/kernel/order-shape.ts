/** @module What an order of a strategy is made of, but for the names under which it is asked for. */
import type { UnixMs } from '../../core/index.ts';
import type { MarketSymbol, QuoteLevel, Side, TimeInForce, Trigger, TwapPlan } from '../../domain/index.ts';

/** What is asked of an order apart from its price and size. */
export interface OrderTerms {
  readonly symbol: MarketSymbol;
  readonly side: Side;
  readonly timeInForce: TimeInForce;
  /** True: the order may only make a position smaller. */
  readonly reduceOnly: boolean;
  readonly expiresAtMs: UnixMs | 0;
}

/** An order but for its names. */
export interface OrderShape {
  readonly terms: OrderTerms;
  readonly level: QuoteLevel;
  /** What it waits for outside the book; absent: nothing. */
  readonly trigger?: Trigger;
  /** How the exchange works it over time; absent: it is one order. */
  readonly twap?: TwapPlan;
}
