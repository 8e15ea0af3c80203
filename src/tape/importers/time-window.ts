/**
 * @module Items of a stream that is nearly in order of exchange time: each waits until nothing earlier is expected. What
 * it does not do: deciding about an item that comes too late; {@link TimeWindow.releasedUs} shows it to the caller.
 */
import { must } from '../../core/index.ts';

/** How far one stream may run ahead of another, in microseconds of exchange time. */
export const WINDOW_US = 30_000_000;
/** The most items that wait; beyond it the oldest is released early. */
export const WINDOW_ITEMS_MAX = 200_000;
/** Items that were released stay in the array up to here before it is cut. */
const RELEASED_ITEMS_MAX = 4_096;

/** See the module. Items of one instant leave by their rank, and those of one rank in the order in which they came. */
export class TimeWindow<T extends { readonly exchangeUs: number; readonly rank?: number }> {
  #items: T[] = [];
  #head = 0;
  #newestUs = Number.NEGATIVE_INFINITY;
  #releasedUs = Number.NEGATIVE_INFINITY;

  /** Exchange time of the latest item that was released. */
  get releasedUs(): number {
    return this.#releasedUs;
  }

  /** Puts `item` after all that are not later. */
  add(item: T): void {
    this.#newestUs = Math.max(this.#newestUs, item.exchangeUs);
    let at = this.#items.length;
    while (at > this.#head) {
      const before = must(this.#items[at - 1], 'an item of the window');
      if (before.exchangeUs < item.exchangeUs) break;
      if (before.exchangeUs === item.exchangeUs && (before.rank ?? 0) <= (item.rank ?? 0)) break;
      at--;
    }
    if (at === this.#items.length) this.#items.push(item);
    else this.#items.splice(at, 0, item);
  }

  /** Releases the first item when it is old enough and before `holdUs`; `undefined`: it waits, or there is none. */
  next(holdUs = Number.POSITIVE_INFINITY): T | undefined {
    const first = this.#items[this.#head];
    if (first === undefined) return undefined;
    const isOld = first.exchangeUs <= this.#newestUs - WINDOW_US && first.exchangeUs < holdUs;
    return isOld || this.#items.length - this.#head > WINDOW_ITEMS_MAX ? this.#release(first) : undefined;
  }

  /** Releases the first item however new it is; `undefined`: there is none. */
  last(): T | undefined {
    const first = this.#items[this.#head];
    return first === undefined ? undefined : this.#release(first);
  }

  #release(first: T): T {
    this.#releasedUs = Math.max(this.#releasedUs, first.exchangeUs);
    if (++this.#head > RELEASED_ITEMS_MAX) {
      this.#items = this.#items.slice(this.#head);
      this.#head = 0;
    }
    return first;
  }
}
