/**
 * @module
 * Receipts by request id. A request that was executed or cost its nonce is final; one that was refused before its nonce
 * is only the last word so far: the same bytes may be sequenced again (exchange.md#nonces).
 */
import { must } from '../../core/index.ts';
import type { Receipt } from './request.ts';

/** How much longer than the receipts the list of their order may grow before it is cut: cutting is linear. */
const SLACK = 2;
/** What is left after a cut is at most so much longer: the next cut is not near. */
const CROWDED = 1.5;

/** The receipts of one epoch, at most `receiptsMax`; the oldest go first. */
export class Receipts {
  readonly #byId = new Map<string, Receipt>();
  /** All of them, oldest first, from `#head` on; some were replaced since. Finding the first key of a map is slow. */
  #inOrder: Receipt[] = [];
  #head = 0;
  readonly #receiptsMax: number;
  #evictedUpToSeq = 0;

  constructor(receiptsMax: number) {
    this.#receiptsMax = receiptsMax;
  }

  /** The newest receipt of this id. */
  find(requestId: string): Receipt | undefined {
    return this.#byId.get(requestId);
  }

  /** Receipts up to this log position may be gone; 0: none is. */
  get evictedUpToSeq(): number {
    return this.#evictedUpToSeq;
  }

  /** Remembers the outcome of a request; a refusal of the same bytes before it is replaced. */
  add(receipt: Receipt): void {
    this.#byId.set(receipt.request.requestId, receipt);
    this.#inOrder.push(receipt);
    while (this.#byId.size > this.#receiptsMax) this.#evictOldest();
    if (this.#inOrder.length > this.#receiptsMax * SLACK) this.#cut();
  }

  /** Lets go of the front, which is gone; where that is not enough, of what was replaced. */
  #cut(): void {
    const left = this.#inOrder.slice(this.#head);
    const isCrowded = left.length > this.#receiptsMax * CROWDED;
    this.#inOrder = isCrowded ? left.filter((one) => this.#isNewest(one)) : left;
    this.#head = 0;
  }

  #isNewest(receipt: Receipt): boolean {
    return this.#byId.get(receipt.request.requestId) === receipt;
  }

  #evictOldest(): void {
    const oldest = must(this.#inOrder[this.#head++], 'an oldest receipt');
    const { requestId } = oldest.request;
    if (!this.#isNewest(oldest)) return;
    this.#byId.delete(requestId);
    this.#evictedUpToSeq = Math.max(this.#evictedUpToSeq, oldest.seq);
  }
}
