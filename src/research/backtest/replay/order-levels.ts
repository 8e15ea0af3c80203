/**
 * @module A recording order by order, aggregated into levels: what strategies see of it is the book that a venue would
 * publish.
 */
import type { Side } from '../../../domain/index.ts';
import { EVENT } from '../../../tape/format/index.ts';
import type { ReplayBook } from './replay-book.ts';

interface RestingOrder {
  readonly side: Side;
  readonly priceTicks: number;
  sizeLots: number;
}

/** The recorded orders of one market. */
export class OrderLevels {
  readonly #book: ReplayBook;
  readonly #orders = new Map<number, RestingOrder>();

  constructor(book: ReplayBook) {
    this.#book = book;
  }

  /** Takes a row about an order in; false when it changes no level. */
  row(kind: number, priceTicks: number, sizeLots: number, id: number): boolean {
    switch (kind) {
      case EVENT.bidOrder:
        return this.#rest('buy', priceTicks, sizeLots, id);
      case EVENT.askOrder:
        return this.#rest('sell', priceTicks, sizeLots, id);
      case EVENT.orderReduced:
      case EVENT.orderExecuted:
        return this.#reduce(id, sizeLots);
      case EVENT.orderDeleted:
        return this.#reduce(id, Number.POSITIVE_INFINITY);
      default:
        return false;
    }
  }

  /** Forgets all orders; the owner of the book clears the levels. */
  clear(): void {
    this.#orders.clear();
  }

  #rest(side: Side, priceTicks: number, sizeLots: number, id: number): boolean {
    this.#reduce(id, Number.POSITIVE_INFINITY);
    this.#orders.set(id, { side, priceTicks, sizeLots });
    this.#book.add(side, priceTicks, sizeLots);
    return true;
  }

  /** An order that rested before the recording began is not known: nothing changes. */
  #reduce(id: number, byLots: number): boolean {
    const order = this.#orders.get(id);
    if (order === undefined) return false;
    const lots = Math.min(byLots, order.sizeLots);
    order.sizeLots -= lots;
    if (order.sizeLots === 0) this.#orders.delete(id);
    this.#book.add(order.side, order.priceTicks, -lots);
    return true;
  }
}
