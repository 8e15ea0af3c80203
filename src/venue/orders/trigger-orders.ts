/**
 * @module
 * Orders that wait for the index price, in no book and without margin. A due one becomes a plain order at the beginning
 * of a block, under the number it was given (wire-facts 2.2).
 */
import type { UnixMs } from '../../core/index.ts';
import type { CanonicalOrder } from '../../domain/index.ts';
import type { AccountState } from '../accounts/account.ts';
import type { MarketState } from '../prices/market-state.ts';
import type { VenueOrder } from '../types.ts';

/** One of them. */
export interface TriggerOrder {
  readonly account: AccountState;
  readonly market: MarketState;
  readonly orderSeq: bigint;
  readonly order: CanonicalOrder;
  readonly goodTilMs: number;
  readonly triggerTicks: number;
  /** Fires at or above the trigger; otherwise at or below. */
  readonly isAbove: boolean;
  readonly createdAtMs: UnixMs;
  /** Log position of its placement. */
  readonly seq: number;
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

  /** Takes away all whose trigger the index price has reached. */
  takeDue(): readonly TriggerOrder[] {
    if (this.#waiting.size === 0) return [];
    const due = [...this.#waiting.values()].filter(isDue);
    for (const { orderSeq } of due) this.#waiting.delete(Number(orderSeq));
    return due;
  }
}

function isDue({ market: { indexTicks }, triggerTicks, isAbove }: TriggerOrder): boolean {
  return isAbove ? indexTicks >= triggerTicks : indexTicks <= triggerTicks;
}

/** The order as it is shown: while it waits, or when it left unplaced. */
export function triggerView(waiting: TriggerOrder, status: VenueOrder['status'], seq: number): VenueOrder {
  const { order, triggerTicks, isAbove } = waiting;
  const lots = Number(order.lots);
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
    waiting: { kind: 'conditional', triggerTicks, isAbove },
  };
}
