/**
 * @module
 * Who gets the fills of orders of the ledger before. Such an order belongs to no strategy in the new ledger, and is
 * canceled there; what is filled until then was asked for by the strategy that owns its market alone. Where several
 * strategies, or others, had orders in a market, nobody can say whose it was.
 */
import type { MarketSymbol, OrderId, StrategyId } from './ids.ts';
import type { TrackedOrder } from './tracked-order.ts';

type Owned = Pick<TrackedOrder, 'orderId' | 'symbol' | 'strategyId'>;

/** See the module. */
export class Heirs {
  /** Who owns a market alone. */
  #ofMarket: ReadonlyMap<MarketSymbol, StrategyId> = new Map();
  readonly #ofOrder = new Map<OrderId, StrategyId>();
  /** Markets in which there were orders of others; `undefined`: this is the first ledger of the run. */
  #shared: ReadonlySet<MarketSymbol> | undefined;

  /** A new ledger. `gone`: what worked in the one before; `undefined`: that one was not known whole. */
  beginEpoch(gone: readonly Owned[] | undefined): void {
    if (gone !== undefined)
      this.#shared = new Set(gone.filter((one) => one.strategyId === undefined).map((one) => one.symbol));
    this.#ofMarket = new Map();
    this.#ofOrder.clear();
  }

  /** It is settled, with who owns which market alone: `found` are the orders that were found in it. */
  settle(ofMarket: ReadonlyMap<MarketSymbol, StrategyId>, found: readonly Owned[]): void {
    this.#ofMarket = ofMarket;
    for (const order of found) this.leave(order);
  }

  /** An order without an owner may be of the ledger before. */
  leave({ orderId, symbol, strategyId }: Owned): void {
    const heir = this.#ofMarket.get(symbol);
    if (heir !== undefined && strategyId === undefined && this.#shared?.has(symbol) === false)
      this.#ofOrder.set(orderId, heir);
  }

  /** Who gets the fills of an order; `undefined`: its owner, if it has one. */
  of({ orderId, strategyId }: Owned): StrategyId | undefined {
    return strategyId === undefined ? this.#ofOrder.get(orderId) : undefined;
  }
}
