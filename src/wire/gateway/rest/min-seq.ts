/**
 * @module
 * The highest commit position that our own writes have been answered with: what a read must be as new as
 * (obligations O18, O20, O23). One number for each epoch of the ledger; a new epoch starts without one.
 */

/** Remembers the highest `x-svc-seq` within one epoch. */
export class MinSeq {
  #epoch: string | undefined;
  #seq: bigint | undefined;

  /** The position to ask reads for; `undefined` before the first write. */
  get current(): bigint | undefined {
    return this.#seq;
  }

  /** Takes the position of a 2xx answer: out of order answers do not lower it. */
  observe(seq: bigint | undefined): void {
    if (seq !== undefined && (this.#seq === undefined || seq > this.#seq)) this.#seq = seq;
  }

  /** Says which ledger is current. A change voids the position, since numbers may start low again. */
  noteEpoch(epoch: string): void {
    if (this.#epoch !== undefined && this.#epoch !== epoch) this.#seq = undefined;
    this.#epoch = epoch;
  }
}
