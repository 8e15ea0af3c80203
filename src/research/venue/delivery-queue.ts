/** @module What is on its way, in the order in which it arrives. Times never fall (see `OneWay`). */

/** Places at the beginning, a power of two. */
const PLACES = 16;

/** A first-in, first-out line of things with a time: a ring, so that nothing is made for what passes through. */
export class DeliveryQueue<T> {
  /** When the next one arrives; Infinity: nothing is on its way. */
  dueUs = Number.POSITIVE_INFINITY;
  #items: (T | undefined)[] = new Array<T | undefined>(PLACES).fill(undefined);
  #times = new Float64Array(PLACES);
  #head = 0;
  #count = 0;

  put(item: T, dueUs: number): void {
    if (this.#count === this.#items.length) this.#grow();
    const at = (this.#head + this.#count) & (this.#items.length - 1);
    this.#items[at] = item;
    this.#times[at] = dueUs;
    if (this.#count++ === 0) this.dueUs = dueUs;
  }

  /** The next one. To be called when there is one. */
  take(): T | undefined {
    if (this.#count === 0) return undefined;
    const at = this.#head;
    const item = this.#items[at];
    this.#items[at] = undefined;
    this.#head = (at + 1) & (this.#items.length - 1);
    this.#count--;
    this.dueUs = this.#count === 0 ? Number.POSITIVE_INFINITY : (this.#times[this.#head] ?? 0);
    return item;
  }

  /** Twice the capacity, with the first one in front. */
  #grow(): void {
    const before = this.#items.length;
    const items = new Array<T | undefined>(before * 2).fill(undefined);
    const times = new Float64Array(before * 2);
    for (let place = 0; place < before; place++) {
      const at = (this.#head + place) & (before - 1);
      items[place] = this.#items[at];
      times[place] = this.#times[at] ?? 0;
    }
    this.#items = items;
    this.#times = times;
    this.#head = 0;
  }
}
