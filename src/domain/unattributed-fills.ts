/** @module Fills of unclaimed orders: they are booked already, and wait for their owner. */
import type { Fill } from './account.ts';
import { type OrderId, type Seq, type StrategyId, seqOfCursor } from './ids.ts';

/** Where a fill is booked for the strategy that owns it. */
export interface FillOwners {
  /** A fill, booked on the account already, has found its owner, or is known to have none. */
  attribute(fill: Fill, strategyId: StrategyId | undefined): void;
  /** As {@link attribute}, of an order of the ledger before: no record of its owner outlives the run. */
  inherit(fill: Fill, strategyId: StrategyId): void;
}

/** Fills of one order. */
export interface WaitingFills {
  /** The fills that wait. */
  readonly fills: Fill[];
  /** The first was made before the account was synced: whichever owner they have, they are no anomaly. */
  readonly isOld: boolean;
}

/** The fills of an account that wait. */
export class UnattributedFills {
  readonly #byOrder = new Map<OrderId, WaitingFills>();

  /** True if none waits. */
  get isEmpty(): boolean {
    return this.#byOrder.size === 0;
  }

  /** Lets a fill wait. `watchedFrom`: the first seq at which the account was synced, if it was. */
  add(fill: Fill, watchedFrom: Seq | undefined): void {
    const waiting = this.#byOrder.get(fill.orderId);
    if (waiting !== undefined) waiting.fills.push(fill);
    else {
      const isOld = watchedFrom === undefined || seqOfCursor(fill.id) <= watchedFrom;
      this.#byOrder.set(fill.orderId, { fills: [fill], isOld });
    }
  }

  /** The first fill of each order. */
  firsts(): readonly Fill[] {
    return [...this.#byOrder.values()].flatMap(({ fills }) => fills.slice(0, 1));
  }

  /** All fills that wait. */
  all(): readonly Fill[] {
    return [...this.#byOrder.values()].flatMap(({ fills }) => fills);
  }

  /** Gives the fills of an order, which wait no more. */
  take(orderId: OrderId): WaitingFills | undefined {
    const waiting = this.#byOrder.get(orderId);
    if (waiting !== undefined) this.#byOrder.delete(orderId);
    return waiting;
  }

  /** Forgets all. */
  clear(): void {
    this.#byOrder.clear();
  }
}
