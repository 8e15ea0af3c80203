/**
 * @module
 * Rows gathered in columns: what a writer fills and a memory tape keeps. Checks that a row fits its columns and that
 * time never falls. Knows no file.
 */
import { assert } from '../../core/index.ts';
import { BATCH_ROWS_MAX, EVENT, type EventBatch, type EventRow } from './events.ts';

/** How many indexes of a manifest the rows may name. */
export interface Places {
  /** Number of markets in the manifest. */
  readonly markets: number;
  /** Number of feeds in the manifest. */
  readonly feeds: number;
}

const U32_MAX = 0xffff_ffff;
const KIND_MAX = Math.max(...Object.values(EVENT));

/** Columns with capacity for one batch. */
export class Columns {
  rows = 0;
  readonly kind = new Uint8Array(BATCH_ROWS_MAX);
  readonly flags = new Uint8Array(BATCH_ROWS_MAX);
  readonly market = new Uint16Array(BATCH_ROWS_MAX);
  readonly exchangeUs = new Float64Array(BATCH_ROWS_MAX);
  readonly receivedUs = new Float64Array(BATCH_ROWS_MAX);
  readonly price = new Uint32Array(BATCH_ROWS_MAX);
  readonly size = new Float64Array(BATCH_ROWS_MAX);
  readonly id = new Float64Array(BATCH_ROWS_MAX);

  /** Takes a checked row. @throws AssertionError when the columns are full. */
  push(row: EventRow): void {
    const at = this.rows;
    assert(at < BATCH_ROWS_MAX, 'room for one more row');
    this.kind[at] = row.kind;
    this.flags[at] = row.flags;
    this.market[at] = row.market;
    this.exchangeUs[at] = row.exchangeUs;
    this.receivedUs[at] = row.receivedUs;
    this.price[at] = row.price;
    // Plus zero: -0 and 0 must not make two tapes of the same rows.
    this.size[at] = row.size + 0;
    this.id[at] = row.id + 0;
    this.rows = at + 1;
  }

  /** The rows so far, as views on these columns. */
  view(): EventBatch {
    return sliceBatch(this, 0, this.rows);
  }
}

/** Rows `from` to `to` of `batch`, as views. */
function sliceBatch(batch: EventBatch, from: number, to: number): EventBatch {
  return {
    rows: to - from,
    kind: batch.kind.subarray(from, to),
    flags: batch.flags.subarray(from, to),
    market: batch.market.subarray(from, to),
    exchangeUs: batch.exchangeUs.subarray(from, to),
    receivedUs: batch.receivedUs.subarray(from, to),
    price: batch.price.subarray(from, to),
    size: batch.size.subarray(from, to),
    id: batch.id.subarray(from, to),
  };
}

/** @throws AssertionError when a number of `row` does not fit its column or its time is before `afterUs`. */
export function checkRow(row: EventRow, afterUs: number, places: Places): void {
  const { kind, flags, market, exchangeUs, receivedUs, price, size, id } = row;
  if (!(exchangeUs >= afterUs && Number.isSafeInteger(exchangeUs)))
    assert(false, `an exchange time in whole microseconds, not before ${afterUs}, got ${exchangeUs}`);
  if (!(Number.isSafeInteger(receivedUs) && receivedUs >= 0))
    assert(false, `a receive time in whole microseconds, got ${receivedUs}`);
  if (!(kind >= 1 && kind <= KIND_MAX && flags >= 0 && flags <= 255))
    assert(false, `a kind from 1 to ${KIND_MAX} and flags of a byte, got ${kind} and ${flags}`);
  if (!(market >= 0 && market < (kind === EVENT.feed ? places.feeds : places.markets)))
    assert(false, `the place of a market or feed of the tape, got ${market}`);
  if (!(price >= 0 && price <= U32_MAX && Number.isInteger(price)))
    assert(false, `a price in ticks from 0 to 2^32 - 1, got ${price}`);
  if (!(Number.isSafeInteger(size) && Number.isSafeInteger(id)))
    assert(false, `size and id as safe integers, got ${size} and ${id}`);
}

/** The rows of a span of time, in rows whose times do not fall. */
export interface TimeRange {
  /** First time that belongs to it, Unix us; absent: from the beginning. */
  readonly fromUs?: number;
  /** First time after it; absent: to the end. */
  readonly toUs?: number;
}

/** The rows of `batch` within `range`: the batch itself, views, or undefined when there are none. */
export function clipBatch(batch: EventBatch, range: TimeRange): EventBatch | undefined {
  const from = range.fromUs === undefined ? 0 : firstAtOrAfter(batch, range.fromUs);
  const to = range.toUs === undefined ? batch.rows : firstAtOrAfter(batch, range.toUs);
  if (from === 0 && to === batch.rows) return batch.rows === 0 ? undefined : batch;
  return from < to ? sliceBatch(batch, from, to) : undefined;
}

/** The first row of `batch` whose exchange time is `us` or later. */
function firstAtOrAfter(batch: EventBatch, us: number): number {
  let low = 0;
  let high = batch.rows;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((batch.exchangeUs[middle] ?? 0) < us) low = middle + 1;
    else high = middle;
  }
  return low;
}
