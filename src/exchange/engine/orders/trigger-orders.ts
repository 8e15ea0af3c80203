/**
 * @module
 * Orders that wait for the index price, in no book and without margin. A due one becomes a plain order at the beginning
 * of a block, under the number it was given (exchange.md#fields).
 */
import type { UnixMs } from '../../../core/index.ts';
import type { CanonicalOrder } from '../../../domain/index.ts';
import type { AccountState } from '../accounts/account.ts';
import { closableLots } from '../accounts/position.ts';
import type { MarketState } from '../prices/market-state.ts';
import type { VenueOrder } from '../types.ts';
import type { OrderState } from './order-state.ts';

/** One of them. */
export interface TriggerOrder {
  /** Account that owns the order. */
  readonly account: AccountState;
  /** Market of the order. */
  readonly market: MarketState;
  /** Order number (exchange.md#order-numbers). */
  readonly orderSeq: bigint;
  /** The order that the trigger places. */
  readonly order: CanonicalOrder;
  /** Last valid instant, Unix ms; 0: none. */
  readonly goodTilMs: number;
  /** Index price that triggers the order, in ticks. */
  readonly triggerTicks: number;
  /** Fires at or above the trigger; otherwise at or below. */
  readonly isAbove: boolean;
  /** Time of placement, Unix ms. */
  readonly createdAtMs: UnixMs;
  /** Log position of its placement. */
  readonly seq: number;
  /** Of a take-profit or a stop-loss. */
  readonly leg?: Leg;
}

/** What makes an order a leg: it closes a position, and may have a twin that goes when it fires. */
export interface Leg {
  readonly kind: 'takeProfit' | 'stopLoss';
  /** Number of the other leg. */
  readonly twinSeq: bigint | undefined;
  /** The order whose fills it closes; `undefined`: it follows the whole position. */
  readonly parent: OrderState | undefined;
}

/** Lots that a leg would close now; of any other order its own. */
export function waitingLots({ account, market, order, leg }: TriggerOrder): number {
  if (leg === undefined) return Number(order.lots);
  if (leg.parent !== undefined) {
    const filled = leg.parent.terms.lots - leg.parent.remainingLots;
    return Math.min(Number(order.lots), filled);
  }
  const holding = account.holdings.get(market.number);
  return holding === undefined ? 0 : closableLots(holding, order.side);
}

/** All of them, oldest first. */
export class TriggerOrders {
  readonly #waiting = new Map<number, TriggerOrder>();

  get size(): number {
    return this.#waiting.size;
  }

  add(order: TriggerOrder): void {
    this.#waiting.set(Number(order.orderSeq), order);
  }

  /** The one of this number. */
  get(orderSeq: bigint): TriggerOrder | undefined {
    return this.#waiting.get(Number(orderSeq));
  }

  /** Takes one away; `undefined` when the account has none of that number in that market. */
  take(
    account: AccountState,
    id: { readonly market: number; readonly orderSeq: bigint },
  ): TriggerOrder | undefined {
    const found = this.#waiting.get(Number(id.orderSeq));
    if (found?.account !== account || found.market.number !== id.market) return undefined;
    this.#waiting.delete(Number(id.orderSeq));
    return found;
  }

  /** Those of one account. */
  of(account: AccountState): readonly TriggerOrder[] {
    if (this.#waiting.size === 0) return [];
    return [...this.#waiting.values()].filter((waiting) => waiting.account === account);
  }

  /** All of them as they are now. */
  all(): readonly TriggerOrder[] {
    return this.#waiting.size === 0 ? [] : [...this.#waiting.values()];
  }
}

/**
 * True if the index price has reached the trigger and there is something to trade; false while the market does not
 * trade.
 */
export function isDue(waiting: TriggerOrder): boolean {
  const { market, triggerTicks, isAbove } = waiting;
  const isReached = isAbove ? market.indexTicks >= triggerTicks : market.indexTicks <= triggerTicks;
  return isReached && market.isTradable && waitingLots(waiting) > 0;
}

/** The order as it is shown: while it waits, or when it left unplaced. */
export function triggerView(waiting: TriggerOrder, status: VenueOrder['status'], seq: number): VenueOrder {
  const { order, triggerTicks, isAbove, leg } = waiting;
  // Before the parent has traded, a leg is shown with the size that it may reach.
  const lots = waitingLots(waiting) || Number(order.lots);
  const parentOrderSeq = leg?.parent?.terms.orderSeq;
  return {
    account: waiting.account.number,
    market: waiting.market.number,
    orderSeq: waiting.orderSeq,
    side: order.side,
    priceTicks: order.price,
    lots,
    remainingLots: lots,
    tif: order.tif,
    reduceOnly: order.reduceOnly,
    goodTilMs: waiting.goodTilMs,
    createdAtMs: waiting.createdAtMs,
    status,
    seq,
    waiting: {
      kind: leg?.kind ?? 'conditional',
      triggerTicks,
      isAbove,
      ...(parentOrderSeq === undefined ? {} : { parentOrderSeq }),
    },
  };
}
