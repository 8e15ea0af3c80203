/**
 * @module
 * An append-only list of rows with identities (seq, sub, idx), ascending, read in pages. Old rows fall off the front;
 * what is gone is known, so a page over a gap is an error and never an empty page (exchange.md#streams).
 */
import { assert, must } from '../../core/index.ts';

/** The identity of a row. */
export interface RowKey {
  /** Position of the log entry, from 1. */
  readonly seq: number;
  /** Number of the request within the log entry. */
  readonly sub: number;
  /** Number of the event within the request. */
  readonly idx: number;
}

/** Rows of a page, in order, and whether more follow up to the same bound. */
export interface Page<Row> {
  /** Rows of the page, in order. */
  readonly rows: readonly Row[];
  /** True if rows remain after this page. */
  readonly hasMore: boolean;
}

/** What a page is asked with. */
export interface PageQuery<Row> {
  /** Only rows after this key; `undefined`: from the start. */
  readonly after: RowKey | undefined;
  /** Last key that the page may contain. */
  readonly upper: RowKey;
  /** Most rows of a page. */
  readonly limit: number;
  /** Rows that count; left out: all do. */
  readonly accepts?: ((row: Row) => boolean) | undefined;
}

/** How far over the maximum the list may grow before it is cut: cutting is linear. */
const SLACK = 1.25;

/** Negative: a is earlier. */
function compareKeys(a: RowKey, b: RowKey): number {
  return a.seq - b.seq || a.sub - b.sub || a.idx - b.idx;
}

/** Rows in order of identity, at most about `rowsMax` of them. */
export class EntryLog<Row extends RowKey> {
  readonly #rows: Row[] = [];
  readonly #rowsMax: number;
  readonly #onEvicted: ((row: Row) => void) | undefined;
  #lastEvicted: Row | undefined;

  constructor(rowsMax: number, onEvicted?: (row: Row) => void) {
    assert(rowsMax > 0, `room for at least one row, got ${rowsMax}`);
    this.#rowsMax = rowsMax;
    this.#onEvicted = onEvicted;
  }

  /** How many rows are there. */
  get size(): number {
    return this.#rows.length;
  }

  /** The identity of the newest row that fell off; rows at or before it are not known any more. */
  get evictedUpTo(): RowKey | undefined {
    return this.#lastEvicted;
  }

  /** Adds a row, which must not be earlier than the last one. */
  push(row: Row): void {
    const last = this.#rows[this.#rows.length - 1];
    if (last !== undefined && compareKeys(last, row) > 0)
      assert(false, `rows in order of identity, ${placeOf(row)} came after ${placeOf(last)}`);
    this.#rows.push(row);
    if (this.#rows.length > this.#rowsMax * SLACK) this.#evict(this.#rows.length - this.#rowsMax);
  }

  /** Rows strictly after `after` (from the first when undefined) and at or before `upper`, at most `limit`. */
  page({ after, upper, limit, accepts }: PageQuery<Row>): Page<Row> {
    const from = after === undefined ? 0 : this.#firstAfter(after);
    const to = this.#firstAfter(upper);
    if (accepts !== undefined) return firstOf(this.#rows.slice(from, to), accepts, limit);
    const end = Math.min(to, from + limit);
    return { rows: this.#rows.slice(from, end), hasMore: end < to };
  }

  /** The same in the other direction: rows strictly before `after` (from the last when undefined), newest first. */
  pageDown({ after, upper, limit, accepts }: PageQuery<Row>): Page<Row> {
    const to = Math.min(
      this.#firstAfter(upper),
      after === undefined ? this.#rows.length : this.#firstAt(after),
    );
    if (accepts !== undefined) return firstOf(this.#rows.slice(0, to).reverse(), accepts, limit);
    const from = Math.max(0, to - limit);
    return { rows: this.#rows.slice(from, to).reverse(), hasMore: from > 0 };
  }

  /** The newest rows at or before `upper`, newest first, at most `limit`. */
  newest(limit: number, upper?: RowKey): readonly Row[] {
    const to = upper === undefined ? this.#rows.length : this.#firstAfter(upper);
    return this.#rows.slice(Math.max(0, to - limit), to).reverse();
  }

  #firstAfter(key: RowKey): number {
    let low = 0;
    let high = this.#rows.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const row = this.#rows[middle];
      if (row !== undefined && compareKeys(row, key) <= 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #firstAt(key: RowKey): number {
    const at = this.#firstAfter(key);
    const before = this.#rows[at - 1];
    return before !== undefined && compareKeys(before, key) === 0 ? at - 1 : at;
  }

  #evict(count: number): void {
    const rows = this.#rows;
    const { length } = rows;
    this.#lastEvicted = rows[count - 1];
    if (this.#onEvicted !== undefined) rows.slice(0, count).forEach(this.#onEvicted);
    // Moved within the list: a shorter copy would have to grow again at once.
    for (let at = count; at < length; at++) rows[at - count] = must(rows[at], 'a row');
    rows.length = length - count;
  }
}

function placeOf({ seq, sub, idx }: RowKey): string {
  return `${seq}-${sub}-${idx}`;
}

/** The first `limit` rows that count, and whether another one does. */
function firstOf<Row>(rows: readonly Row[], accepts: (row: Row) => boolean, limit: number): Page<Row> {
  const found: Row[] = [];
  for (const row of rows) {
    if (!accepts(row)) continue;
    if (found.length === limit) return { rows: found, hasMore: true };
    found.push(row);
  }
  return { rows: found, hasMore: false };
}
