/** @module The columns of a record batch as they are stored in its body, and the one way to pack and to unpack them. */

import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { ReadFault } from '../../core/index.ts';
import { ArrowFault } from './arrow-fault.ts';
import type { Layout } from './arrow-layout.ts';
import type { BatchHead } from './arrow-metadata.ts';
import { BATCH_ROWS_MAX } from './events.ts';

/** The prefix of a packed buffer: the length that it has unpacked, or -1 where it is as it was. */
const PREFIX_BYTES = 8;
/** A packed column of this size says one value over and over, or nearly. */
const REPEATED_BYTES_MAX = 64;
/** What a packed column is longer than its values at most, when nothing in them repeats; shorter ones may stay bare. */
const OVERHEAD_BYTES_MAX = 64;

/**
 * Level 1 is as small as 3 on these columns and twice as fast to write. A target length leaves what does not repeat as it
 * is, where codes of single bits would make files an eighth smaller and take a sixth more of the time to unpack them. The
 * checksum finds flipped bytes, of a file without a hash too.
 */
const ZSTD = {
  params: {
    [constants.ZSTD_c_compressionLevel]: 1,
    [constants.ZSTD_c_targetLength]: 1,
    [constants.ZSTD_c_checksumFlag]: 1,
  },
};

interface SeenColumn {
  readonly packed: Uint8Array;
  readonly values: Uint8Array<ArrayBuffer>;
}

/** By column: what its last batch in a file said, where it was short. The next one mostly says the same again. */
export type Repeated = (SeenColumn | undefined)[];

/** Packs the buffers of one file. */
export class ColumnPacker {
  readonly #repeated: Repeated = [];

  /** `bytes` of a buffer with their prefix: packed, unless they are few and no fewer then. */
  pack(buffer: number, bytes: Uint8Array): { readonly prefix: BigInt64Array; readonly body: Uint8Array } {
    const packed = this.#packed(buffer, bytes);
    const isBare = bytes.length <= OVERHEAD_BYTES_MAX && packed.length >= bytes.length;
    return {
      prefix: BigInt64Array.of(isBare ? -1n : BigInt(bytes.length)),
      body: isBare ? new Uint8Array(bytes) : packed,
    };
  }

  #packed(buffer: number, bytes: Uint8Array): Uint8Array {
    const last = this.#repeated[buffer];
    if (last !== undefined && isSame(last.values, bytes)) return last.packed;
    const packed = zstdCompressSync(bytes, ZSTD);
    if (packed.length <= REPEATED_BYTES_MAX)
      this.#repeated[buffer] = { packed, values: new Uint8Array(bytes) };
    return packed;
  }
}

/** What a record batch is read from. */
export interface RecordBody {
  readonly head: BatchHead;
  /** Overwritten by the next one. */
  readonly body: Uint8Array;
  /** Which batch of its file. */
  readonly index: number;
  /** Of its file. */
  readonly repeated: Repeated;
}

/** The columns of one record batch. Those that are unpacked late outlive its body. */
export class PackedColumns {
  readonly rows: number;
  readonly layout: Layout;
  readonly #packed: readonly Uint8Array[];
  readonly #index: number;
  readonly #repeated: Repeated;

  /** @throws ArrowFault when no writer can have made such a batch. */
  constructor(layout: Layout, { head, body, index, repeated }: RecordBody) {
    const { rows, offsets, lengths } = head;
    if (!(rows >= 0 && rows <= BATCH_ROWS_MAX))
      throw new ArrowFault(`batch ${index}: ${rows} rows are not possible`);
    this.rows = rows;
    this.layout = layout;
    this.#packed = layout.columns.map(({ isLate }, column) => {
      const offset = offsets[column] ?? 0;
      const packed = body.subarray(offset, offset + (lengths[column] ?? 0));
      return isLate ? new Uint8Array(packed) : packed;
    });
    this.#index = index;
    this.#repeated = repeated;
  }

  /** The values of a column, for callers that keep or free them. */
  values(column: number): Uint8Array<ArrayBuffer> {
    const values = this.#unpack(column);
    return this.#isRepeated(column, values) ? new Uint8Array(values) : values;
  }

  /** Shows `look` the values of `count` columns from `first` on; they are gone after it. */
  look(first: number, count: number, look: (columns: readonly Uint8Array<ArrayBuffer>[]) => void): void {
    const columns = Array.from({ length: count }, (_, at) => this.#unpack(first + at));
    look(columns);
    for (const [at, values] of columns.entries())
      if (!this.#isRepeated(first + at, values)) freeMemory(values);
  }

  #isRepeated(column: number, values: Uint8Array): boolean {
    return this.#repeated[column]?.values === values;
  }

  #unpack(column: number): Uint8Array<ArrayBuffer> {
    const { name = '', bytes = 0 } = this.layout.columns[column] ?? {};
    const packed = this.#packed[column] ?? new Uint8Array(0);
    const length = this.rows * bytes;
    const last = this.#repeated[column];
    if (last !== undefined && last.values.length === length && isSame(last.packed, packed))
      return last.values;
    try {
      const values = unpack(packed, length);
      if (packed.length <= REPEATED_BYTES_MAX)
        this.#repeated[column] = { packed: new Uint8Array(packed), values };
      return values;
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : '';
      throw new ArrowFault(`batch ${this.#index}, column ${name}: ${why}`);
    }
  }
}

/**
 * Gives memory back at once; its arrays are empty then. Left to the collector, what a file unpacks to made it run every
 * few million rows, and each column was placed in memory that no cache held: unpacking took twice the time.
 */
export function freeMemory({ buffer }: { readonly buffer: ArrayBuffer }): void {
  buffer.transfer(0);
}

const isSame = (a: Uint8Array, b: Uint8Array): boolean => a.length === b.length && Buffer.compare(a, b) === 0;

/** The `length` bytes of a column, at the start of their own buffer. */
function unpack(packed: Uint8Array, length: number): Uint8Array<ArrayBuffer> {
  if (length === 0) return new Uint8Array(0);
  const stated = new DataView(packed.buffer, packed.byteOffset, packed.byteLength).getBigInt64(0, true);
  const bytes = packed.subarray(PREFIX_BYTES);
  if (stated !== -1n) {
    if (stated !== BigInt(length)) throw new ReadFault(`expected ${length} bytes, the buffer says ${stated}`);
    return unpackZstd(bytes, length);
  }
  if (bytes.length !== length) throw new ReadFault(`expected ${length} bytes, got ${bytes.length}`);
  // Not `slice`: that of a Buffer is a view, and the reader's buffer is used again.
  return new Uint8Array(bytes);
}

function unpackZstd(packed: Uint8Array, length: number): Uint8Array<ArrayBuffer> {
  // In one piece: of the usual pieces of 16 KiB the column would be put together once more.
  const chunkSize = Math.max(constants.Z_MIN_CHUNK, length + 1);
  const whole = zstdDecompressSync(packed, { maxOutputLength: length, chunkSize });
  if (whole.length < length) throw new ReadFault(`expected ${length} bytes, got ${whole.length}`);
  // Small ones are in a shared pool, at any offset.
  return whole.byteOffset === 0 && whole.buffer.byteLength <= chunkSize ? whole : new Uint8Array(whole);
}
