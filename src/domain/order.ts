/**
 * @module
 * Orders as a strategy asks for them and as they are at the exchange.
 */
import type { UnixMs } from '../core/index.ts';
import type { ClientOrderId, IntentId, MarketSymbol, OrderId, StrategyId } from './ids.ts';
import type { Side } from './side.ts';
import type { Lots, Ticks } from './units.ts';

/** How long an order may rest; post-only is one of them at this gateway (exchange.md#market-rules). */
export type TimeInForce = 'gtc' | 'ioc' | 'fok' | 'postOnly';

/** All of {@link TimeInForce}. */
export const TIMES_IN_FORCE = ['gtc', 'ioc', 'fok', 'postOnly'] as const satisfies readonly TimeInForce[];

/** Which part of a position's take-profit and stop-loss an order is. */
export type PositionLeg = 'takeProfit' | 'stopLoss';

/** What an order waits for outside the book: it enters it with the first block whose index price is there. */
export interface Trigger {
  /** 0: the exchange does not say. */
  readonly priceTicks: Ticks;
  /** Fires at or above that price; otherwise at or below. */
  readonly isAbove: boolean;
  /**
   * Of an order that follows the position: it closes all that is held when it fires, and its size is what was held when it was
   * seen last. Absent: it is an order of a size of its own.
   */
  readonly leg?: PositionLeg;
}

/** How a time-weighted order is worked by the exchange: outside the book, in slices that take at once or not at all. */
export interface TwapPlan {
  /** Number of slices. */
  readonly slices: number;
  /** Time between two slices, ms. */
  readonly intervalMs: number;
  /** The limit of a slice is this far from the index price, below 1,000,000. */
  readonly priceTolerancePpm: number;
}

/** How far it is. */
export interface TwapProgress extends TwapPlan {
  /** Slices that were sent so far. */
  readonly slicesDone: number;
  /** When the next one is due at the earliest; 0: not known. */
  readonly nextSliceAtMs: UnixMs | 0;
}

/** One order to be placed. */
export interface OrderSpec {
  readonly intentId: IntentId;
  readonly strategyId: StrategyId;
  readonly symbol: MarketSymbol;
  readonly side: Side;
  readonly priceTicks: Ticks;
  readonly sizeLots: Lots;
  readonly timeInForce: TimeInForce;
  /** True: the order may only make a position smaller. */
  readonly reduceOnly: boolean;
  readonly clientOrderId: ClientOrderId;
  /** Last instant at which it is valid; only a single placement can carry it (exchange.md#fields). 0: none. */
  readonly expiresAtMs: UnixMs | 0;
  /** Absent: it enters the book at once. Only a single placement can carry it. */
  readonly trigger?: Trigger;
  /**
   * Absent: it is one order. Otherwise the exchange works it over time, `priceTicks` being the limit that a slice would have now.
   * Only a write of its own can carry it.
   */
  readonly twap?: TwapPlan;
}

/** An order at the exchange by its number and market. */
export interface OrderRef {
  readonly symbol: MarketSymbol;
  readonly orderId: OrderId;
}

/** An order that has ended: the exchange may name it by its number alone. */
export interface EndedRef {
  /** `undefined`: not said, it is that of the order that is known by the number. */
  readonly symbol: MarketSymbol | undefined;
  readonly orderId: OrderId;
}

/** An order that is alive at the exchange. `intentId` and `strategyId` are absent when it is not one of ours. */
export interface WorkingOrder extends OrderRef {
  readonly side: Side;
  readonly priceTicks: Ticks;
  /** As accepted; a reduce-only order may have been clamped. */
  readonly sizeLots: Lots;
  readonly remainingLots: Lots;
  readonly timeInForce: TimeInForce;
  /** True: the order may only make a position smaller. */
  readonly reduceOnly: boolean;
  /** The label that the client gave; absent: none. */
  readonly clientOrderId?: ClientOrderId;
  /** The intent that it came from; absent: none is known. */
  readonly intentId?: IntentId;
  /** The strategy that owns it; absent: none is known. */
  readonly strategyId?: StrategyId;
  /** What it waits for outside the book; absent: it waits for no price. */
  readonly trigger?: Trigger;
  /** Of one that the exchange works over time, outside the book: `priceTicks` is the limit of its slices. Absent: it is one order. */
  readonly twap?: TwapProgress;
}

/** True if an order waits outside the book, for a price or for the time of its next slice. */
export function isOutsideBook(order: { readonly trigger?: unknown; readonly twap?: unknown }): boolean {
  return order.trigger !== undefined || order.twap !== undefined;
}

/** True if an order closes the position, whatever that is when it fires: what it was seen with bounds no fill. */
export function isPositionLeg(order: { readonly trigger?: Trigger }): boolean {
  return order.trigger?.leg !== undefined;
}

/**
 * True if nothing is left of an order, which is known, because it was filled; `left` are its lots that remain. A leg that waits is
 * shown as large as the position: nothing of it says that the position is closed.
 */
export function isFilledUp(
  order: WorkingOrder | undefined,
  left: number | undefined = order?.remainingLots,
): boolean {
  return order !== undefined && left === 0 && !isPositionLeg(order);
}

/** How an order ended. */
export type TerminalStatus = 'filled' | 'canceled' | 'expired' | 'rejected';

/** The working order that an accepted placement becomes. */
export function orderFromSpec(spec: OrderSpec, orderId: OrderId, acceptedLots: Lots): WorkingOrder {
  const { trigger, twap } = spec;
  const order = {
    symbol: spec.symbol,
    orderId,
    side: spec.side,
    priceTicks: spec.priceTicks,
    sizeLots: acceptedLots,
    remainingLots: acceptedLots,
    timeInForce: spec.timeInForce,
    reduceOnly: spec.reduceOnly,
    clientOrderId: spec.clientOrderId,
    intentId: spec.intentId,
    strategyId: spec.strategyId,
  };
  if (twap !== undefined) return { ...order, twap: { ...twap, slicesDone: 0, nextSliceAtMs: 0 } };
  return trigger === undefined ? order : { ...order, trigger };
}

/**
 * What `lots` of an order can become in a position. A reduce-only order outside the book adds nothing: when it fires, and with
 * each slice, the exchange makes it no larger than what it closes, or drops it.
 */
export function openLotsOf(order: Pick<OrderSpec, 'trigger' | 'twap' | 'reduceOnly'>, lots: number): number {
  return order.reduceOnly && isOutsideBook(order) ? 0 : lots;
}

/** `order` with so much left of it, and with the owner that is known of it. */
export function orderWithLeft(
  order: WorkingOrder,
  remainingLots: Lots,
  owner: { readonly strategyId: StrategyId | undefined; readonly intentId: IntentId | undefined },
): WorkingOrder {
  const { clientOrderId } = order;
  const strategyId = owner.strategyId ?? order.strategyId;
  const intentId = owner.intentId ?? order.intentId;
  // All but other participants' orders have all three: made name by name it is of one kind with those that are made of a placement.
  const isPlain = !isOutsideBook(order);
  if (isPlain && clientOrderId !== undefined && strategyId !== undefined && intentId !== undefined)
    return {
      symbol: order.symbol,
      orderId: order.orderId,
      side: order.side,
      priceTicks: order.priceTicks,
      sizeLots: order.sizeLots,
      remainingLots,
      timeInForce: order.timeInForce,
      reduceOnly: order.reduceOnly,
      clientOrderId,
      intentId,
      strategyId,
    };
  return {
    ...order,
    remainingLots,
    ...(strategyId === undefined ? {} : { strategyId }),
    ...(intentId === undefined ? {} : { intentId }),
  };
}

/** One level of a quote, in the market's integers. */
export interface QuoteLevel {
  readonly priceTicks: Ticks;
  readonly sizeLots: Lots;
}

/** True if a cancel was rejected since the exchange does not know the order: it has ended, and that is all that is known. */
export function isUnknownOrder(reason: string): boolean {
  return reason === 'UnknownOrder';
}
