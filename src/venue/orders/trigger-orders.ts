/**
 * @module
 * Orders that wait for the index price, in no book and without margin. A due one becomes a plain order at the beginning
 * of a block, under the number it was given (wire-facts 2.2).
 */
import type { CanonicalOrder } from '../../domain/index.ts';
import type { AccountState } from '../accounts/account.ts';
import type { MarketState } from '../prices/market-state.ts';

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
