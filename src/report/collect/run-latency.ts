/** @module How long writes took until their outcome was known: every n-th of a run, n doubled when there are too many. */
import type { RequestId, RunRecord } from '../../domain/index.ts';

/** How many writes are kept at most. */
const ROWS_MAX = 4_096;

/** See the module. */
export class RunLatency {
  readonly #sent = new Map<RequestId, number>();
  #rows: (readonly [number, number])[] = [];
  #oneOf = 1;
  #count = 0;

  /** A write was sent. */
  sent(requestId: RequestId, nowMs: number): void {
    if (this.#count++ % this.#oneOf === 0) this.#sent.set(requestId, nowMs);
  }

  /** Its outcome is known. */
  resolved(requestId: RequestId, nowMs: number): void {
    // Of a long run few writes are timed: for the others the name is not looked up.
    const sentMs = this.#sent.size === 0 ? undefined : this.#sent.get(requestId);
    if (sentMs === undefined) return;
    this.#sent.delete(requestId);
    this.#rows.push([Math.floor(sentMs), Math.round((nowMs - sentMs) * 100) / 100]);
    if (this.#rows.length <= ROWS_MAX) return;
    this.#rows = this.#rows.filter((_row, at) => at % 2 === 0);
    this.#oneOf *= 2;
  }

  /** What was measured; `undefined`: nothing. */
  finish(): RunRecord['latency'] {
    return this.#rows.length === 0 ? undefined : { oneOf: this.#oneOf, rows: this.#rows };
  }
}
