/** @module What is on its way, in the order in which it arrives. Times never fall (see `OneWay`). */

/** So many taken ones are kept before the line is cut. */
const COMPACT_AT = 1024;

/** A first-in, first-out line of things with a time. */
export class Mail<T> {
  #items: T[] = [];
  #times: number[] = [];
  #head = 0;

  /** When the next one arrives; Infinity: nothing is on its way. */
  get dueUs(): number {
    return this.#times[this.#head] ?? Number.POSITIVE_INFINITY;
  }

  put(item: T, dueUs: number): void {
    this.#items.push(item);
    this.#times.push(dueUs);
  }

  /** The next one. To be called when there is one. */
  take(): T | undefined {
    const item = this.#items[this.#head++];
    const isDrained = this.#head === this.#items.length;
    if (isDrained || this.#head >= COMPACT_AT) {
      this.#items = isDrained ? [] : this.#items.slice(this.#head);
      this.#times = isDrained ? [] : this.#times.slice(this.#head);
      this.#head = 0;
    }
    return item;
  }
}
