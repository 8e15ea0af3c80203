/**
 * @module
 * Orders that do not go into the book at once, as they are asked for: over time, or when the index price is reached.
 */
import type { UnixMs } from '../core/index.ts';
import type { ClientOrderId, MarketSymbol, OrderId } from './ids.ts';
import type { Market } from './market.ts';
import type { TimeInForce, TwapPlan } from './order.ts';
import type { Side } from './side.ts';
import { type Lots, PRICE_TICKS_MAX, type Ticks, ticks } from './units.ts';

/** A time-weighted order: `sizeLots` in `slices` IOC orders, one per `intervalMs` (exchange.md#fields). */
export interface TwapSpec extends TwapPlan {
  readonly symbol: MarketSymbol;
  readonly side: Side;
  readonly sizeLots: Lots;
  /** True: the order may only make a position smaller. */
  readonly reduceOnly: boolean;
}

/** The worst price of a slice while the index price is `indexTicks`: that price and the tolerance, on the tick that is inside. */
export function twapLimitTicks(
  { tickStep }: Pick<Market, 'tickStep'>,
  side: Side,
  { indexTicks, priceTolerancePpm }: { readonly indexTicks: number; readonly priceTolerancePpm: number },
): Ticks {
  const part = BigInt(1_000_000 + (side === 'buy' ? priceTolerancePpm : -priceTolerancePpm));
  const scaled = BigInt(indexTicks) * part;
  const step = BigInt(tickStep) * 1_000_000n;
  const steps = side === 'buy' ? scaled / step : (scaled + step - 1n) / step;
  const most = PRICE_TICKS_MAX - (PRICE_TICKS_MAX % tickStep);
  return ticks(Math.max(tickStep, Math.min(Number(steps) * tickStep, most)));
}

/**
 * An order that goes into the book when the index price is there, looked at with each block
 * (exchange.md#command-bytes).
 */
export interface TriggerSpec {
  readonly symbol: MarketSymbol;
  readonly side: Side;
  readonly priceTicks: Ticks;
  readonly sizeLots: Lots;
  readonly timeInForce: TimeInForce;
  /** True: the order may only make a position smaller. */
  readonly reduceOnly: boolean;
  readonly triggerTicks: Ticks;
  /** Fires at or above the trigger; otherwise at or below. */
  readonly triggerAbove: boolean;
  /** The label that the client gave; absent: none. */
  readonly clientOrderId?: ClientOrderId;
  /** Last instant at which it is valid; 0: none. */
  readonly expiresAtMs: UnixMs | 0;
}

/** One leg of a pair: the trigger, and the limit of the order that it becomes. */
export interface TpslLeg {
  readonly triggerTicks: Ticks;
  readonly priceTicks: Ticks;
}

/** A take-profit, a stop-loss, or both, of which one at most fires (exchange.md#fields). */
export interface TpslSpec {
  readonly symbol: MarketSymbol;
  /** The side that closes: `sell` for a long position. */
  readonly closeSide: Side;
  /** Needed with a parent; without one the pair closes the full position. */
  readonly sizeLots?: Lots;
  /** The take-profit; absent: none. */
  readonly takeProfit?: TpslLeg;
  /** The stop-loss; absent: none. */
  readonly stopLoss?: TpslLeg;
  /** The open order whose fills the pair closes; absent: it follows the position. */
  readonly parentOrderId?: OrderId;
}

/** What kind of waiting order a cancel names, where it is to be signed as that kind's own command. */
export type AlgoOrderKind = 'conditional' | 'twap';
