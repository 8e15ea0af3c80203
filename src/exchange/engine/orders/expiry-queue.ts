/** @module Orders with an end of validity, the earliest first: a binary heap that forgets closed orders late. */
import type { OrderState } from './order-state.ts';

/** Rebuild when the heap is this many times larger than what is open in it. */
const SLACK = 2;
const SIZE_MIN = 64;

/** A heap by `goodTilMs`, then by order number. */
export class ExpiryQueue {
  #heap: OrderState[] = [];
  #openCount = 0;

  /** Orders held, closed ones included. */
  get size(): number {
    return this.#heap.length;
  }

  push(order: OrderState): void {
    this.#openCount++;
    this.#heap.push(order);
    this.#rise(this.#heap.length - 1);
  }

  /** An order of the queue closed. */
  onClosed(): void {
    this.#openCount--;
    if (this.#heap.length < SIZE_MIN || this.#heap.length < this.#openCount * SLACK) return;
    // A sorted array is a heap.
    this.#heap = this.#heap.filter((order) => order.status === 'open').sort((a, b) => compare(a, b));
  }

  /** Takes the earliest open order whose last valid instant is before `nowMs`. The caller closes it. */
  takeExpired(nowMs: number): OrderState | undefined {
    for (let first = this.#heap[0]; first !== undefined; first = this.#heap[0]) {
      if (first.status === 'open' && first.terms.goodTilMs >= nowMs) return undefined;
      this.#removeFirst();
      if (first.status === 'open') return first;
    }
    return undefined;
  }

  #removeFirst(): void {
    const last = this.#heap.pop();
    if (last === undefined || this.#heap.length === 0) return;
    this.#heap[0] = last;
    this.#sink();
  }

  #rise(from: number): void {
    let child = from;
    while (child > 0) {
      const parent = (child - 1) >> 1;
      if (!this.#swapIfEarlier(child, parent)) return;
      child = parent;
    }
  }

  #sink(): void {
    let parent = 0;
    for (let child = 1; child < this.#heap.length; child = 2 * parent + 1) {
      const [left, right] = [this.#heap[child], this.#heap[child + 1]];
      if (left !== undefined && right !== undefined && compare(right, left) < 0) child++;
      if (!this.#swapIfEarlier(child, parent)) return;
      parent = child;
    }
  }

  #swapIfEarlier(child: number, parent: number): boolean {
    const [a, b] = [this.#heap[child], this.#heap[parent]];
    if (a === undefined || b === undefined || compare(a, b) >= 0) return false;
    this.#heap[child] = b;
    this.#heap[parent] = a;
    return true;
  }
}

function compare(a: OrderState, b: OrderState): number {
  return a.terms.goodTilMs - b.terms.goodTilMs || a.id - b.id;
}
