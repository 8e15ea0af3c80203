/**
 * @module
 * Single orders that wait for their lane, first come, first served, and not for long: an order that is not sent soon was
 * meant for a market that is gone.
 */
import type { UnixMs } from '../../core/index.ts';
import type { LaneId, MarketSymbol, PlaceOrders, SetLeverage } from '../../domain/index.ts';
import type { SpecNames } from './order-spec.ts';
import type { StrategyHost } from './strategy-host.ts';

/** The most single orders that wait for one lane. */
export const LINE_ORDERS_MAX = 100;
/** A single order that waited longer is denied. */
export const LINE_AGE_MS_MAX = 1_000;
/** How long the write budget may hold a single order back (denials.md P11). */
export const THROTTLE_WAIT_MS_MAX = 100;

/** One that waits. */
export interface QueuedOrder {
  readonly host: StrategyHost;
  /** The number of the strategy instance that asked. */
  readonly instanceId: number;
  readonly names: SpecNames;
  readonly symbol: MarketSymbol;
  /** The order, or both legs of a position, or the leverage to set. */
  readonly command: PlaceOrders | SetLeverage;
  readonly atMs: UnixMs;
}

/** The lines of all lanes. */
export class OrderLines {
  readonly #lines = new Map<LaneId, QueuedOrder[]>();
  #isEmpty = true;

  /** True if nothing waits. Called with each quote that is sent. */
  get isEmpty(): boolean {
    return this.#isEmpty;
  }

  /** Joins the line; false when it is full. */
  join(order: QueuedOrder): boolean {
    const { lane } = order.host.setup;
    const line = this.#lines.get(lane);
    if (line === undefined) {
      this.#lines.set(lane, [order]);
      this.#isEmpty = false;
    } else if (line.length >= LINE_ORDERS_MAX) return false;
    else line.push(order);
    return true;
  }

  /** Takes the orders of a strategy in some markets out. */
  drop(host: StrategyHost, symbols: readonly MarketSymbol[]): void {
    const { lane } = host.setup;
    const line = this.#lines.get(lane);
    const left = line?.filter((order) => order.host !== host || !symbols.includes(order.symbol)) ?? [];
    if (left.length === 0) this.#lines.delete(lane);
    else this.#lines.set(lane, left);
    this.#isEmpty = this.#lines.size === 0;
  }

  /** Takes all out. */
  clear(): void {
    this.#lines.clear();
    this.#isEmpty = true;
  }

  /** Hands orders to `send` while their lane is ready; `send` says false to have one wait on. */
  advance(isReady: (lane: LaneId) => boolean, send: (lane: LaneId, order: QueuedOrder) => boolean): void {
    for (const [lane, line] of this.#lines) {
      while (isReady(lane)) {
        const next = line[0];
        if (next === undefined || !send(lane, next)) break;
        line.shift();
      }
      if (line.length === 0) this.#lines.delete(lane);
    }
    this.#isEmpty = this.#lines.size === 0;
  }
}
