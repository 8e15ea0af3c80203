/**
 * @module What is known of a market at a point of a tape: its book (levels, or orders in their queues), best quotes,
 * published prices and state. A slice begins with it, since a tape stores differences only.
 */
import { EVENT, type EventKind, type EventRow, FLAG_END } from '../format/index.ts';

interface Resting {
  readonly kind: EventKind;
  readonly price: number;
  size: number;
}

/** Kinds of which the last row is all that counts. */
const LATEST: readonly EventKind[] = [
  EVENT.marketStatus,
  EVENT.mark,
  EVENT.index,
  EVENT.fundingRate,
  EVENT.bestBid,
  EVENT.bestAsk,
];

/** One market's state, fed with its rows. */
export class MarketMemory {
  #isBookKnown = false;
  #hole: EventRow | undefined;
  readonly #bids = new Map<number, number>();
  readonly #asks = new Map<number, number>();
  /** By number, in the order in which they came to rest. */
  readonly #orders = new Map<number, Resting>();
  readonly #latest = new Map<EventKind, EventRow>();

  /** Takes the market's next row. */
  take(row: EventRow): void {
    const { kind, price, size, id } = row;
    switch (kind) {
      case EVENT.bidLevel:
        setLevel(this.#bids, price, size);
        break;
      case EVENT.askLevel:
        setLevel(this.#asks, price, size);
        break;
      case EVENT.bookReset:
        this.#isBookKnown = true;
        this.#hole = undefined;
        this.#forgetBook();
        break;
      case EVENT.hole:
        this.#isBookKnown = false;
        this.#hole = row;
        this.#forgetBook();
        break;
      case EVENT.bidOrder:
      case EVENT.askOrder:
        this.#orders.set(id, { kind, price, size });
        break;
      case EVENT.orderReduced:
      case EVENT.orderExecuted:
        this.#reduce(id, size);
        break;
      case EVENT.orderDeleted:
        this.#orders.delete(id);
        break;
      default:
        if (LATEST.includes(kind)) this.#latest.set(kind, row);
    }
  }

  /** All that is known as rows of one frame at `us`. */
  rows(us: number): readonly EventRow[] {
    const said: Omit<EventRow, 'flags' | 'exchangeUs' | 'receivedUs'>[] = [];
    const market = 0;
    for (const kind of LATEST) {
      const row = this.#latest.get(kind);
      if (row !== undefined) said.push({ kind, market, price: row.price, size: row.size, id: row.id });
    }
    if (this.#hole !== undefined)
      said.push({ kind: EVENT.hole, market, price: 0, size: 0, id: this.#hole.id });
    if (this.#isBookKnown || this.#bids.size + this.#asks.size + this.#orders.size > 0) this.#sayBook(said);
    return said.map((row, index) => ({
      ...row,
      flags: index === said.length - 1 ? FLAG_END : 0,
      exchangeUs: us,
      receivedUs: us,
    }));
  }

  #sayBook(said: Omit<EventRow, 'flags' | 'exchangeUs' | 'receivedUs'>[]): void {
    const market = 0;
    said.push({ kind: EVENT.bookReset, market, price: 0, size: 0, id: 0 });
    for (const [price, size] of this.#bids) said.push({ kind: EVENT.bidLevel, market, price, size, id: 0 });
    for (const [price, size] of this.#asks) said.push({ kind: EVENT.askLevel, market, price, size, id: 0 });
    for (const [id, { kind, price, size }] of this.#orders) said.push({ kind, market, price, size, id });
  }

  #reduce(id: number, size: number): void {
    const order = this.#orders.get(id);
    if (order === undefined) return;
    order.size -= size;
    if (order.size <= 0) this.#orders.delete(id);
  }

  #forgetBook(): void {
    this.#bids.clear();
    this.#asks.clear();
    this.#orders.clear();
  }
}

function setLevel(side: Map<number, number>, price: number, size: number): void {
  if (size === 0) side.delete(price);
  else side.set(price, size);
}
