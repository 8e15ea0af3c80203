/**
 * @module Rows on their way into the caches. A log in memory is long, and between two rows of it the bot may work on an
 * order: the next rows have left the caches by then, and each of their columns would be waited for separately. They are
 * asked for at once, some hundred rows at a time, by a value from each line of the caches.
 */
import type { RowBlock } from './row-blocks.ts';

/** Rows that are asked for at once. */
const ROWS = 128;
/** They are asked this many rows before the first of them is read: the venue may be so far ahead. */
const MARGIN = 16;
/** Rows in a line of 64 bytes, of columns of eight bytes, four and at most two. */
const LONG_ROWS = 8;
const SHORT_ROWS = 16;
const TINY_ROWS = 32;

/** Of one block after the other. */
export class RowsAhead {
  /** What was read, added up: nothing else looks at it, but without it the compiler would leave the reading out. */
  seen = 0;
  #row = 0;

  /** Another block begins. */
  restart(): void {
    this.#row = 0;
  }

  /** Rows from `row` on are to be read now. */
  from(row: number, block: RowBlock): void {
    if (row + MARGIN >= this.#row && this.#row < block.rows) this.#ask(Math.max(row, this.#row), block);
  }

  #ask(from: number, { rows, kind, flags, market, exchangeUs, price, size, id }: RowBlock): void {
    const to = Math.min(from + ROWS, rows);
    let sum = 0;
    for (let row = from; row < to; row += LONG_ROWS)
      sum += (exchangeUs[row] as number) + (size[row] as number) + (id[row] as number);
    for (let row = from; row < to; row += SHORT_ROWS) sum += price[row] as number;
    for (let row = from; row < to; row += TINY_ROWS)
      sum += (kind[row] as number) + (flags[row] as number) + (market[row] as number);
    this.seen = sum;
    this.#row = to;
  }
}
