/** @module Walks the rows of a tape one by one, for tools that make another tape of them. */
import type { TimeRange } from '../format/columns.ts';
import type { EventBatch, EventKind, EventRow } from '../format/events.ts';
import type { Tape } from '../format/tape-reader.ts';

/** Stands on a row of a tape. */
export class RowCursor {
  readonly #batches: Generator<EventBatch>;
  #batch: EventBatch | undefined;
  #at = 0;

  constructor(tape: Tape, range?: TimeRange) {
    this.#batches = tape.batches(range);
    this.#load();
  }

  /** Exchange time of the row; Infinity: there are no more. */
  get us(): number {
    return this.#batch?.exchangeUs[this.#at] ?? Number.POSITIVE_INFINITY;
  }

  /** The row, and on to the next one. `undefined`: there are no more. */
  next(): EventRow | undefined {
    const batch = this.#batch;
    const at = this.#at;
    if (batch === undefined) return undefined;
    const row: EventRow = {
      kind: batch.kind[at] as EventKind,
      flags: batch.flags[at] ?? 0,
      market: batch.market[at] ?? 0,
      exchangeUs: batch.exchangeUs[at] ?? 0,
      receivedUs: batch.receivedUs[at] ?? 0,
      price: batch.price[at] ?? 0,
      size: batch.size[at] ?? 0,
      id: batch.id[at] ?? 0,
    };
    this.#at = at + 1;
    if (this.#at >= batch.rows) this.#load();
    return row;
  }

  #load(): void {
    const { value, done } = this.#batches.next();
    this.#batch = done === true ? undefined : value;
    this.#at = 0;
  }
}
