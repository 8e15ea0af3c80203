/** @module Recorded orders in a book they share with ours: found by their number, in columns, nothing made per order. */
import { type BookSide, BUY, type OrderBook, SELL } from '../../exchange/engine/index.ts';

/** Numbers of recorded orders in the book are negative, so that they never are one of ours. */
const FIRST = -2;
const SIZE = 4096;

/** See the module. */
export class RecordedOrders {
  readonly #book: OrderBook;
  readonly #places = new Map<number, number>();
  #slots = new Int32Array(SIZE);
  /** What the recording says is left of it. */
  #left = new Float64Array(SIZE);
  #prices = new Float64Array(SIZE);
  #sides = new Uint8Array(SIZE);
  readonly #free: number[] = [];
  #used = 0;

  constructor(book: OrderBook) {
    this.#book = book;
  }

  /** A recorded order rests with `size`, of which `left` is there in this book. */
  rest(
    id: number,
    side: BookSide,
    { price, size, left }: { readonly price: number; readonly size: number; readonly left: number },
  ): void {
    this.remove(id);
    const place = this.#free.pop() ?? this.#used++;
    if (place >= this.#slots.length) this.#grow();
    this.#places.set(id, place);
    this.#slots[place] = left > 0 ? this.#book.rest(FIRST - id, side, price, left) : -1;
    this.#left[place] = size;
    this.#prices[place] = price;
    this.#sides[place] = side;
  }

  /** The side of a recorded order; -1: there is none of that number. */
  sideOf(id: number): BookSide | -1 {
    const place = this.#places.get(id);
    return place === undefined ? -1 : this.#sides[place] === BUY ? BUY : SELL;
  }

  /** Part of it was canceled. */
  reduce(id: number, lots: number): void {
    const place = this.#places.get(id);
    if (place === undefined) return;
    this.#book.reduce(this.#slots[place] ?? -1, FIRST - id, lots);
    this.#left[place] = (this.#left[place] ?? 0) - lots;
    if ((this.#left[place] ?? 0) <= 0) this.#forget(id, place);
  }

  /** It is gone. */
  remove(id: number): void {
    const place = this.#places.get(id);
    if (place === undefined) return;
    this.#book.cancel(this.#slots[place] ?? -1, FIRST - id);
    this.#forget(id, place);
  }

  /** So much of it was executed in the recording; the book is not touched. Gives its price, 0: not known. */
  executed(id: number, lots: number): number {
    const place = this.#places.get(id);
    if (place === undefined) return 0;
    this.#left[place] = (this.#left[place] ?? 0) - lots;
    const price = this.#prices[place] ?? 0;
    // What was ours instead stays in the book, under no number.
    if ((this.#left[place] ?? 0) <= 0) this.#forget(id, place);
    return price;
  }

  /** All are gone, what stayed under no number too. */
  clear(): void {
    const slots: number[] = [];
    for (const side of [BUY, SELL]) this.#book.forEachOrder(side, (slot) => slots.push(slot) > 0);
    for (const slot of slots) {
      const number = this.#book.idIn(slot);
      if (number < 0) this.#book.cancel(slot, number);
    }
    this.#places.clear();
    this.#free.length = 0;
    this.#used = 0;
  }

  #forget(id: number, place: number): void {
    this.#places.delete(id);
    this.#free.push(place);
  }

  #grow(): void {
    const size = this.#slots.length * 2;
    this.#slots = enlarged(this.#slots, new Int32Array(size));
    this.#left = enlarged(this.#left, new Float64Array(size));
    this.#prices = enlarged(this.#prices, new Float64Array(size));
    this.#sides = enlarged(this.#sides, new Uint8Array(size));
  }
}

function enlarged<T extends Int32Array | Float64Array | Uint8Array>(array: T, larger: T): T {
  larger.set(array);
  return larger;
}
