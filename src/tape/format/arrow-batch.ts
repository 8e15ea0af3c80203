/**
 * @module
 * One record batch of a file of rows: where its columns lie, and what they are when they are unpacked. Knows nothing of
 * the library of the format, so that a thread of its own can unpack too.
 */
import { ArrowFault } from './arrow-fault.ts';
import type { EventBatch } from './events.ts';
import { unpack } from './unpack.ts';

/** The columns of a batch in their order, and the bytes of a value. */
export const COLUMN_BYTES = {
  kind: 1,
  flags: 1,
  market: 2,
  exchangeUs: 8,
  receivedUs: 8,
  price: 4,
  size: 8,
  id: 8,
} as const satisfies Record<Exclude<keyof EventBatch, 'rows'>, number>;

const BYTES: readonly (readonly [string, number])[] = Object.entries(COLUMN_BYTES);
/** Place of the column that is unpacked late. */
const RECEIVED_US = 4;

/** A batch as it lies in its file. Plain data: it is told to another thread as it is. */
export interface PackedBatch {
  readonly index: number;
  readonly rows: number;
  readonly isPacked: boolean;
  readonly bodyAt: number;
  readonly bodyBytes: number;
  /** Values of each column, within the body. */
  readonly parts: readonly { readonly offset: number; readonly length: number }[];
}

/** Values of the columns in their order; those of {@link RECEIVED_US} as they lie in the file. */
export type Values = readonly Uint8Array<ArrayBuffer>[];

/** Unpacks what every reader reads. @throws ArrowFault naming the column that cannot be. */
export function unpackEarly(batch: PackedBatch, body: Uint8Array): Values {
  return BYTES.map((_column, place) =>
    place === RECEIVED_US
      ? (packedIn(batch, body, place).slice() as Uint8Array<ArrayBuffer>)
      : valuesOf(batch, place, packedIn(batch, body, place)),
  );
}

/** The batch with all of its columns. @throws ArrowFault naming the column that cannot be unpacked. */
export function wholeBatch(batch: PackedBatch, body: Uint8Array): EventBatch {
  const values = BYTES.map((_column, place) => valuesOf(batch, place, packedIn(batch, body, place)));
  return { ...columnsOf(batch.rows, values), receivedUs: timesOf(batch.rows, values[RECEIVED_US]) };
}

/** A batch of which the times of receipt are unpacked when they are read: a run under a modelled latency never does. */
export class LateBatch implements EventBatch {
  readonly rows: number;
  readonly kind: Uint8Array;
  readonly flags: Uint8Array;
  readonly market: Uint16Array;
  readonly exchangeUs: Float64Array;
  readonly price: Uint32Array;
  readonly size: Float64Array;
  readonly id: Float64Array;
  readonly #batch: PackedBatch;
  readonly #packed: Uint8Array;
  readonly #late: (fault: ArrowFault) => Error;
  #receivedUs: Float64Array | undefined;

  /** What is thrown for times that cannot be unpacked `late` makes of the fault. */
  constructor(batch: PackedBatch, values: Values, late: (fault: ArrowFault) => Error) {
    const columns = columnsOf(batch.rows, values);
    this.rows = columns.rows;
    this.kind = columns.kind;
    this.flags = columns.flags;
    this.market = columns.market;
    this.exchangeUs = columns.exchangeUs;
    this.price = columns.price;
    this.size = columns.size;
    this.id = columns.id;
    this.#batch = batch;
    this.#packed = values[RECEIVED_US] ?? new Uint8Array(0);
    this.#late = late;
  }

  get receivedUs(): Float64Array {
    if (this.#receivedUs !== undefined) return this.#receivedUs;
    try {
      const values = valuesOf(this.#batch, RECEIVED_US, this.#packed);
      this.#receivedUs = timesOf(this.rows, values);
      return this.#receivedUs;
    } catch (cause) {
      throw cause instanceof ArrowFault ? this.#late(cause) : cause;
    }
  }
}

function packedIn({ parts }: PackedBatch, body: Uint8Array, place: number): Uint8Array {
  const { offset, length } = parts[place] ?? { offset: 0, length: 0 };
  return body.subarray(offset, offset + length);
}

function valuesOf(
  { index, rows, isPacked }: PackedBatch,
  place: number,
  packed: Uint8Array,
): Uint8Array<ArrayBuffer> {
  const [name, bytes] = BYTES[place] ?? ['', 0];
  try {
    return unpack(packed, rows * bytes, isPacked);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : '';
    throw new ArrowFault(`batch ${index}, column ${name}: ${why}`);
  }
}

function columnsOf(rows: number, values: Values): Omit<EventBatch, 'receivedUs'> {
  const at = (place: number): [ArrayBuffer, number, number] => spanOf(rows, values[place]);
  return {
    rows,
    kind: new Uint8Array(...at(0)),
    flags: new Uint8Array(...at(1)),
    market: new Uint16Array(...at(2)),
    exchangeUs: new Float64Array(...at(3)),
    price: new Uint32Array(...at(5)),
    size: new Float64Array(...at(6)),
    id: new Float64Array(...at(7)),
  };
}

function timesOf(rows: number, values: Uint8Array<ArrayBuffer> | undefined): Float64Array {
  return new Float64Array(...spanOf(rows, values));
}

/** What a column of so many rows is made on. */
function spanOf(rows: number, bytes = new Uint8Array(0)): [ArrayBuffer, number, number] {
  return [bytes.buffer, bytes.byteOffset, rows];
}
