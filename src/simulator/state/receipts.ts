/**
 * @module
 * Receipts by request id. A request that was executed or cost its nonce is final; one that was refused before its nonce
 * is only the last word so far: the same bytes may be sequenced again (wire-facts 3.2).
 */
import type { Receipt } from './request.ts';

/** The receipts of one epoch, at most `receiptsMax`; the oldest go first. */
export class Receipts {
  readonly #byId = new Map<string, Receipt>();
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

  /** Remembers what became of a request; a refusal of the same bytes before it is replaced. */
  add(receipt: Receipt): void {
    const { requestId } = receipt.request;
    this.#byId.delete(requestId);
    this.#byId.set(requestId, receipt);
    if (this.#byId.size <= this.#receiptsMax) return;
    for (const [id, oldest] of this.#byId) {
      this.#byId.delete(id);
      this.#evictedUpToSeq = Math.max(this.#evictedUpToSeq, oldest.seq);
      break;
    }
  }
}
