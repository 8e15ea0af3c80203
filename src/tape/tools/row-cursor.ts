/** @module Walks the rows of a tape one by one, for tools that make another tape of them and for statistics of rows. */
import type { EventBatch, EventKind, EventRow, Tape, TimeRange } from '../format/index.ts';

/** The rows of `batches` as objects, in order. A row stays as it is when the next batch is read. */
export function* rowsOf(batches: Iterable<EventBatch>): Generator<EventRow> {
  for (const batch of batches)
    for (let at = 0; at < batch.rows; at++)
      yield {
        kind: batch.kind[at] as EventKind,
        flags: batch.flags[at] ?? 0,
        market: batch.market[at] ?? 0,
        exchangeUs: batch.exchangeUs[at] ?? 0,
        receivedUs: batch.receivedUs[at] ?? 0,
        price: batch.price[at] ?? 0,
        size: batch.size[at] ?? 0,
        id: batch.id[at] ?? 0,
      };
}

/** Points at a row of a tape. */
export class RowCursor {
  readonly #rows: Generator<EventRow>;
  #row: EventRow | undefined;

  constructor(tape: Tape, range?: TimeRange) {
    this.#rows = rowsOf(tape.batches(range));
    this.next();
  }

  /** Exchange time of the row; Infinity: there are no more. */
  get us(): number {
    return this.#row?.exchangeUs ?? Number.POSITIVE_INFINITY;
  }

  /** The row, and on to the next one. `undefined`: there are no more. */
  next(): EventRow | undefined {
    const row = this.#row;
    const { value, done } = this.#rows.next();
    this.#row = done === true ? undefined : value;
    return row;
  }
}
