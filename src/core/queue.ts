/**
 * @module
 * A first-in first-out ring with a fixed maximum. What happens when it is full is the caller's declared policy: `push`
 * says no and nothing is dropped silently.
 */
import { assert } from './assert.ts';

/** A bounded queue of `T`. */
export class BoundedQueue<T> {
  readonly #slots: (T | undefined)[] = [];
  readonly #sizeMax: number;
  #head = 0;
  #size = 0;

  constructor(sizeMax: number) {
    assert(Number.isSafeInteger(sizeMax) && sizeMax > 0, `a queue size above zero, got ${sizeMax}`);
    this.#sizeMax = sizeMax;
  }

  /** How many wait. */
  get size(): number {
    return this.#size;
  }

  /** Adds `item` at the end; false, and nothing changed, when the queue is full. */
  push(item: T): boolean {
    if (this.#size === this.#sizeMax) return false;
    this.#slots[(this.#head + this.#size) % this.#sizeMax] = item;
    this.#size++;
    return true;
  }

  /** Takes the first item out; `undefined` when empty. */
  shift(): T | undefined {
    if (this.#size === 0) return undefined;
    const item = this.#slots[this.#head];
    this.#slots[this.#head] = undefined;
    this.#head = (this.#head + 1) % this.#sizeMax;
    this.#size--;
    return item;
  }
}
