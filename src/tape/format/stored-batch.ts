/**
 * @module Between a record batch and rows in columns, both ways. Times of receipt and ids are unpacked when they are
 * read: many readers do not read them.
 */
import { assert } from '../../core/index.ts';
import { ArrowFault } from './arrow-fault.ts';
import { type Layout, WHOLE_COLUMNS } from './arrow-layout.ts';
import type { EventBatch } from './events.ts';
import { freeMemory, type PackedColumns } from './packed-columns.ts';
import { type ColumnWords, type Halves, joinHalves, joinWords, splitHalves, splitWords } from './words.ts';

/** Puts rows into the columns of a layout. Those of one batch are gone with the next: they use the same memory. */
export class RowSplitter {
  readonly #layout: Layout;
  #room = new SplitRoom(0);

  constructor(layout: Layout) {
    this.#layout = layout;
  }

  /** The columns of `batch` in the order of the layout. Numbers in words are safe integers. */
  columns(batch: EventBatch): readonly ArrayBufferView[] {
    const { rows, kind, flags, market, exchangeUs, receivedUs, price, size, id } = batch;
    if (this.#layout === WHOLE_COLUMNS) return [kind, flags, market, exchangeUs, receivedUs, price, size, id];
    if (this.#room.rows < rows) this.#room = new SplitRoom(rows);
    const { delayUs, words, halves } = this.#room;
    for (let row = 0; row < rows; row++)
      delayUs[row] = (receivedUs[row] as number) - (exchangeUs[row] as number);
    const times = [exchangeUs, delayUs.subarray(0, rows)];
    splitHalves(price, halves);
    return [
      ...[kind, flags, market],
      ...times.flatMap((values, at) => split(values, words[at])),
      ...[halves.low.subarray(0, rows), halves.middle.subarray(0, rows)],
      ...[size, id].flatMap((values, at) => split(values, words[times.length + at])),
    ];
  }
}

/** Memory for the words of this many rows. */
class SplitRoom {
  readonly rows: number;
  readonly delayUs: Float64Array;
  readonly halves: Halves;
  /** Of times, delays, sizes and ids. */
  readonly words: readonly ColumnWords[];

  constructor(rows: number) {
    this.rows = rows;
    this.delayUs = new Float64Array(rows);
    this.halves = { low: new Uint16Array(rows), middle: new Uint16Array(rows) };
    this.words = Array.from({ length: 4 }, () => ({
      ...{ low: new Uint16Array(rows), middle: new Uint16Array(rows) },
      high: new Int32Array(rows),
    }));
  }
}

function split(values: Float64Array, words: ColumnWords | undefined): readonly ArrayBufferView[] {
  if (words === undefined) return [];
  splitWords(values, words);
  return [words.low, words.middle, words.high].map((column) => column.subarray(0, values.length));
}

/** The rows in `packed`. What is thrown when a column that is unpacked late is damaged, `late` makes of the fault. */
export function batchOf(packed: PackedColumns, late: (fault: ArrowFault) => Error): EventBatch {
  return new StoredBatch(packed.layout === WHOLE_COLUMNS ? wholeColumns(packed) : wordColumns(packed), late);
}

/** What one layout or the other gives. */
interface StoredColumns {
  readonly rows: number;
  readonly kind: Uint8Array<ArrayBuffer>;
  readonly flags: Uint8Array<ArrayBuffer>;
  readonly market: Uint16Array<ArrayBuffer>;
  readonly exchangeUs: Float64Array<ArrayBuffer>;
  readonly receivedUs: () => Float64Array<ArrayBuffer>;
  readonly price: Uint32Array<ArrayBuffer>;
  readonly size: Float64Array<ArrayBuffer>;
  readonly id: () => Float64Array<ArrayBuffer>;
}

class StoredBatch implements EventBatch {
  readonly rows: number;
  readonly kind: Uint8Array;
  readonly flags: Uint8Array;
  readonly market: Uint16Array;
  readonly exchangeUs: Float64Array;
  readonly price: Uint32Array;
  readonly size: Float64Array;
  readonly #columns: StoredColumns;
  readonly #late: (fault: ArrowFault) => Error;
  #receivedUs: Float64Array<ArrayBuffer> | undefined;
  #id: Float64Array<ArrayBuffer> | undefined;
  #isReleased = false;

  constructor(columns: StoredColumns, late: (fault: ArrowFault) => Error) {
    this.rows = columns.rows;
    this.kind = columns.kind;
    this.flags = columns.flags;
    this.market = columns.market;
    this.exchangeUs = columns.exchangeUs;
    this.price = columns.price;
    this.size = columns.size;
    this.#columns = columns;
    this.#late = late;
  }

  get receivedUs(): Float64Array {
    this.#receivedUs ??= this.#unpacked('receivedUs');
    return this.#receivedUs;
  }

  get id(): Float64Array {
    this.#id ??= this.#unpacked('id');
    return this.#id;
  }

  /** A separate function, so that it can be taken along without the batch. */
  readonly release = (): void => {
    if (this.#isReleased) return;
    this.#isReleased = true;
    const { kind, flags, market, exchangeUs, price, size } = this.#columns;
    for (const column of [kind, flags, market, exchangeUs, price, size, this.#receivedUs, this.#id])
      if (column !== undefined) freeMemory(column);
  };

  #unpacked(column: 'receivedUs' | 'id'): Float64Array<ArrayBuffer> {
    assert(!this.#isReleased, 'a batch to be read before it is released');
    try {
      return this.#columns[column]();
    } catch (cause) {
      throw cause instanceof ArrowFault ? this.#late(cause) : cause;
    }
  }
}

/** Those that are as they are used, in both layouts. */
function shortColumns(packed: PackedColumns): Pick<StoredColumns, 'rows' | 'kind' | 'flags' | 'market'> {
  const { rows } = packed;
  return {
    rows,
    kind: new Uint8Array(packed.values(0).buffer, 0, rows),
    flags: new Uint8Array(packed.values(1).buffer, 0, rows),
    market: new Uint16Array(packed.values(2).buffer, 0, rows),
  };
}

/** By the order of columns in version 1. */
function wholeColumns(packed: PackedColumns): StoredColumns {
  const { rows } = packed;
  const float64 = (column: number) => new Float64Array(packed.values(column).buffer, 0, rows);
  return {
    ...shortColumns(packed),
    exchangeUs: float64(3),
    receivedUs: () => float64(4),
    price: new Uint32Array(packed.values(5).buffer, 0, rows),
    size: float64(6),
    id: () => float64(7),
  };
}

/** By the order of columns in version 2. */
function wordColumns(packed: PackedColumns): StoredColumns {
  const exchangeUs = joinedWords(packed, 3);
  return {
    ...shortColumns(packed),
    exchangeUs,
    receivedUs: () => {
      const column = joinedWords(packed, 6);
      for (let row = 0; row < column.length; row++)
        column[row] = (column[row] as number) + (exchangeUs[row] as number);
      return column;
    },
    price: joinedHalves(packed, 9),
    size: joinedWords(packed, 11),
    id: () => joinedWords(packed, 14),
  };
}

function joinedWords(packed: PackedColumns, at: number): Float64Array<ArrayBuffer> {
  const { rows } = packed;
  const column = new Float64Array(memoryOf(rows * 8), 0, rows);
  packed.look(at, 3, ([low = NONE, middle = NONE, high = NONE]) => {
    const halves = {
      low: new Uint16Array(low.buffer, 0, rows),
      middle: new Uint16Array(middle.buffer, 0, rows),
    };
    joinWords({ ...halves, high: new Int32Array(high.buffer, 0, rows) }, column);
  });
  return column;
}

function joinedHalves(packed: PackedColumns, at: number): Uint32Array<ArrayBuffer> {
  const { rows } = packed;
  const column = new Uint32Array(memoryOf(rows * 4), 0, rows);
  packed.look(at, 2, ([low = NONE, middle = NONE]) => {
    joinHalves(
      { low: new Uint16Array(low.buffer, 0, rows), middle: new Uint16Array(middle.buffer, 0, rows) },
      column,
    );
  });
  return column;
}

const NONE = new Uint8Array(0);

/** Memory that holds anything: all of it is written to. */
function memoryOf(bytes: number): ArrayBuffer {
  return Buffer.allocUnsafeSlow(bytes).buffer;
}
