/**
 * @module
 * One `events-*.arrow` file: an Arrow IPC file of record batches with zstd buffers, readable by pyarrow, DuckDB and
 * polars. The library writes the wrong length before a compressed buffer (the compressed one; other readers refuse
 * it), so the body is put together here; messages, schema and footer are the library's.
 *
 *   magic, schema ─ batch ─ batch ─ … ─ end mark, footer, magic
 *
 * Reading walks the messages in order and needs no footer: a file whose end was torn off is read to its last whole
 * batch.
 */
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import {
  CompressionType,
  type Data,
  type DataType,
  Field,
  Float64,
  Message,
  makeData,
  RecordBatch,
  RecordBatchFileWriter,
  Schema,
  Struct,
  Uint8,
  Uint16,
  Uint32,
} from 'apache-arrow';
import { ArrowFault, type FileEnd, type ReadAt } from './arrow-fault.ts';
import { flawOfMetadata } from './arrow-metadata.ts';
import { BATCH_ROWS_MAX, type EventBatch } from './events.ts';

/** What an Arrow file begins with, padding included. */
const MAGIC = Buffer.from('ARROW1\0\0', 'latin1');
/** Continuation mark and length before each message. */
const PREFIX_BYTES = 8;
/** A message of eight columns is some hundred bytes; more is damage. */
const METADATA_BYTES_MAX = 65_536;

/** Level 1 is as small as 3 on these columns and twice as fast to write; the checksum finds flipped bytes on reading. */
const ZSTD = {
  params: { [constants.ZSTD_c_compressionLevel]: 1, [constants.ZSTD_c_checksumFlag]: 1 },
};

type Column = Exclude<keyof EventBatch, 'rows'>;

/**
 * The columns in their order. Times are Float64 of whole microseconds: a column is then used as it was unpacked,
 * which read 15 % faster than Int64, and every value is a safe integer.
 */
const COLUMNS: readonly { readonly name: Column; readonly type: DataType; readonly bytes: number }[] = [
  { name: 'kind', type: new Uint8(), bytes: 1 },
  { name: 'flags', type: new Uint8(), bytes: 1 },
  { name: 'market', type: new Uint16(), bytes: 2 },
  { name: 'exchangeUs', type: new Float64(), bytes: 8 },
  { name: 'receivedUs', type: new Float64(), bytes: 8 },
  { name: 'price', type: new Uint32(), bytes: 4 },
  { name: 'size', type: new Float64(), bytes: 8 },
  { name: 'id', type: new Float64(), bytes: 8 },
];

/** The schema of every file of rows. */
const SCHEMA = new Schema(COLUMNS.map(({ name, type }) => new Field(name, type, false)));
const STRUCT = new Struct(SCHEMA.fields);

interface Region {
  readonly offset: number;
  readonly length: number;
}

interface PackedBody {
  byteLength: number;
  bufferRegions: Region[];
  buffers: ArrayBufferView[];
}

/** Writes one file, handing each piece of it to `put` at once. */
export class ArrowFileWriter extends RecordBatchFileWriter {
  readonly #put: (bytes: Uint8Array) => void;

  constructor(put: (bytes: Uint8Array) => void) {
    super({ compressionType: CompressionType.ZSTD, autoDestroy: false });
    this.#put = put;
    this.reset(undefined, SCHEMA);
  }

  /** Bytes written so far. */
  get position(): number {
    return this._position;
  }

  /** Writes `batch` as one record batch. */
  writeRows(batch: EventBatch): void {
    const children = COLUMNS.map(({ name, type }) =>
      makeData({ type, length: batch.rows, nullCount: 0, data: batch[name] } as Parameters<
        typeof makeData
      >[0]),
    );
    const data = makeData({ type: STRUCT, length: batch.rows, nullCount: 0, children }) as Data<
      typeof STRUCT
    >;
    this.write(new RecordBatch(SCHEMA, data));
  }

  /** Writes the footer. */
  end(): void {
    this._writeFooter(SCHEMA);
  }

  /** The library leaves the schema to the footer; a file without its end could then not be read. */
  protected override _writeSchema(schema: Schema): this {
    return this._writeMagic()._writePadding(2)._writeMessage(Message.from(schema));
  }

  protected override _write(chunk: unknown): this {
    const bytes = bytesOf(chunk as ArrayBufferView);
    if (!this._started || bytes.byteLength === 0) return this;
    this.#put(bytes);
    this._position += bytes.byteLength;
    return this;
  }

  /** As the format says: the unpacked length before each packed buffer, -1 before one that is as it was. */
  protected override _compressBodyBuffers(buffers: ArrayBufferView[]): PackedBody {
    const parts: ArrayBufferView[] = [];
    const regions: Region[] = [];
    let position = 0;
    for (const buffer of buffers) {
      const bytes = bytesOf(buffer);
      if (bytes.length === 0) {
        parts.push(bytes, bytes);
        regions.push({ offset: position, length: 0 });
        continue;
      }
      const packed = zstdCompressSync(bytes, ZSTD);
      const smaller = packed.length < bytes.length;
      const body = smaller ? packed : bytes;
      parts.push(BigInt64Array.of(smaller ? BigInt(bytes.length) : -1n), body);
      regions.push({ offset: position, length: PREFIX_BYTES + body.length });
      position = align8(position + PREFIX_BYTES + body.length);
    }
    return { byteLength: position, bufferRegions: regions, buffers: parts };
  }
}

/**
 * The batches of a file in order; `end` is filled in when the walk is over. A file that ends within a message or
 * before its end mark is torn, which is told in `end`. @throws ArrowFault for bytes that no cut explains.
 *
 * With `late` a column that many readers leave alone is unpacked when it is first read; what is thrown then `late` makes
 * of the fault.
 */
export function* readArrowFile(
  readAt: ReadAt,
  end: FileEnd,
  late?: (fault: ArrowFault) => Error,
): Generator<EventBatch> {
  const magic = readAt(0, MAGIC.length);
  if (magic.length < MAGIC.length) {
    end.torn = 'its head';
    return;
  }
  if (!MAGIC.equals(magic)) throw new ArrowFault('this is no Arrow file', true);
  let position = MAGIC.length;
  for (;;) {
    const step = readMessage(readAt, position);
    if (step === 'end') return;
    if (typeof step === 'string') {
      end.torn = step;
      return;
    }
    const { message, body, next } = step;
    if (message.isRecordBatch()) {
      const columns = new PackedColumns(message.header(), body, end.batches);
      const batch = late === undefined ? columns.batch() : new LateBatch(columns, late);
      end.batches += 1;
      end.wholeBytes = next;
      yield batch;
    }
    position = next;
  }
}

interface Step {
  readonly message: Message;
  readonly body: Uint8Array;
  readonly next: number;
}

/** The message at `position`; a text says what of it is missing because the file ends. */
function readMessage(
  readAt: ReadAt,
  position: number,
): Step | 'end' | 'a message' | 'a batch' | 'its end mark' {
  const prefix = readAt(position, PREFIX_BYTES);
  if (prefix.length < PREFIX_BYTES) return 'its end mark';
  const view = new DataView(prefix.buffer, prefix.byteOffset, PREFIX_BYTES);
  const length = view.getInt32(4, true);
  if (view.getInt32(0, true) !== -1 || length < 0 || length > METADATA_BYTES_MAX)
    throw new ArrowFault(`byte ${position}: expected the head of a message`);
  if (length === 0) return 'end';
  const metadata = readAt(position + PREFIX_BYTES, length);
  if (metadata.length < length) return 'a message';
  const message = decodeMessage(metadata, position);
  const bodyAt = position + PREFIX_BYTES + length;
  if (!(message.bodyLength >= 0 && message.bodyLength <= BODY_BYTES_MAX))
    throw new ArrowFault(`byte ${position}: a body of ${message.bodyLength} bytes is not possible`);
  const body = readAt(bodyAt, message.bodyLength);
  if (body.length < message.bodyLength) return 'a batch';
  return { message, body, next: bodyAt + message.bodyLength };
}

/** All columns of a full batch, unpacked, with a little for their heads. */
const BODY_BYTES_MAX = BATCH_ROWS_MAX * COLUMNS.reduce((sum, { bytes }) => sum + bytes + 1, 0) + 4_096;

/** A message of a file of rows: the schema that every one has, or a record batch. */
function decodeMessage(bytes: Uint8Array, position: number): Message {
  if (SCHEMA_METADATA.equals(bytes.subarray(0, SCHEMA_METADATA.length))) return SCHEMA_MESSAGE;
  try {
    const flaw = flawOfMetadata(bytes, COLUMNS.length);
    if (flaw !== undefined) throw new RangeError(`it has ${flaw}`);
    // The library keeps views on these bytes; the reader's buffer is used again.
    const message = Message.decode(Uint8Array.from(bytes));
    if (!message.isRecordBatch()) throw new RangeError('it is neither a record batch nor the schema of rows');
    message.header();
    return message;
  } catch (cause) {
    // Files of other programs show it in their first message.
    throw new ArrowFault(
      `byte ${position}: a message that cannot be read (${String(cause)})`,
      position === MAGIC.length,
    );
  }
}

const SCHEMA_MESSAGE = Message.from(SCHEMA);
const SCHEMA_METADATA = Buffer.from(Message.encode(SCHEMA_MESSAGE));

interface BatchHeader {
  readonly length: number;
  readonly nodes: readonly { readonly length: number; readonly nullCount: number }[];
  readonly buffers: readonly { readonly offset: number; readonly length: number }[];
  readonly compression: unknown;
}

/** The columns of a record batch in its body. Each has two buffers: which values are absent (none may be) and the values. */
class PackedColumns {
  readonly rows: number;
  readonly #header: BatchHeader;
  readonly #body: Uint8Array;
  readonly #index: number;

  constructor(header: BatchHeader, body: Uint8Array, index: number) {
    const rows = header.length;
    if (!(rows >= 0 && rows <= BATCH_ROWS_MAX))
      throw new ArrowFault(`batch ${index}: ${rows} rows are not possible`);
    if (header.buffers.length !== COLUMNS.length * 2 || header.nodes.some((node) => node.nullCount > 0))
      throw new ArrowFault(`batch ${index}: expected ${COLUMNS.length} columns without absent values`);
    this.rows = rows;
    this.#header = header;
    this.#body = body;
    this.#index = index;
  }

  /** All of them, unpacked. */
  batch(): EventBatch {
    return { ...this.early(), receivedUs: this.receivedUs(this.packed(RECEIVED_US)) };
  }

  /** Those that every reader reads. */
  early(): Omit<EventBatch, 'receivedUs'> {
    const { rows } = this;
    const values = (column: number): Uint8Array<ArrayBuffer> => this.#values(column, this.packed(column));
    return {
      rows,
      kind: new Uint8Array(...rowsIn(values(0), rows)),
      flags: new Uint8Array(...rowsIn(values(1), rows)),
      market: new Uint16Array(...rowsIn(values(2), rows)),
      exchangeUs: new Float64Array(...rowsIn(values(3), rows)),
      price: new Uint32Array(...rowsIn(values(5), rows)),
      size: new Float64Array(...rowsIn(values(6), rows)),
      id: new Float64Array(...rowsIn(values(7), rows)),
    };
  }

  receivedUs(packed: Uint8Array): Float64Array {
    return new Float64Array(...rowsIn(this.#values(RECEIVED_US, packed), this.rows));
  }

  /** The bytes of a column as they lie in the body. */
  packed(column: number): Uint8Array {
    const { offset, length } = this.#header.buffers[column * 2 + 1] ?? { offset: 0, length: 0 };
    return this.#body.subarray(offset, offset + length);
  }

  #values(column: number, packed: Uint8Array): Uint8Array<ArrayBuffer> {
    const { name, bytes } = COLUMNS[column] ?? { name: '', bytes: 0 };
    try {
      return unpack(packed, this.rows * bytes, this.#header.compression !== null);
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : '';
      throw new ArrowFault(`batch ${this.#index}, column ${name}: ${why}`);
    }
  }
}

/** Place of the column that is unpacked late. */
const RECEIVED_US = 4;

/** A batch of which the times of receipt are unpacked when they are read: a run under a modelled latency never does. */
class LateBatch implements EventBatch {
  readonly rows: number;
  readonly kind: Uint8Array;
  readonly flags: Uint8Array;
  readonly market: Uint16Array;
  readonly exchangeUs: Float64Array;
  readonly price: Uint32Array;
  readonly size: Float64Array;
  readonly id: Float64Array;
  readonly #columns: PackedColumns;
  readonly #packed: Uint8Array;
  readonly #late: (fault: ArrowFault) => Error;
  #receivedUs: Float64Array | undefined;

  constructor(columns: PackedColumns, late: (fault: ArrowFault) => Error) {
    const early = columns.early();
    this.rows = early.rows;
    this.kind = early.kind;
    this.flags = early.flags;
    this.market = early.market;
    this.exchangeUs = early.exchangeUs;
    this.price = early.price;
    this.size = early.size;
    this.id = early.id;
    this.#columns = columns;
    this.#late = late;
    // The reader's buffer is used again.
    this.#packed = new Uint8Array(columns.packed(RECEIVED_US));
  }

  get receivedUs(): Float64Array {
    try {
      this.#receivedUs ??= this.#columns.receivedUs(this.#packed);
      return this.#receivedUs;
    } catch (cause) {
      throw cause instanceof ArrowFault ? this.#late(cause) : cause;
    }
  }
}

/** What a column of so many rows is made on. */
function rowsIn(bytes: Uint8Array<ArrayBuffer>, rows: number): [ArrayBuffer, number, number] {
  return [bytes.buffer, bytes.byteOffset, rows];
}

/** The `length` bytes of a column, at the head of a buffer of their own. */
function unpack(packed: Uint8Array, length: number, compressed: boolean): Uint8Array<ArrayBuffer> {
  if (length === 0) return new Uint8Array(0);
  let bytes = packed;
  if (compressed) {
    const stated = new DataView(packed.buffer, packed.byteOffset, PREFIX_BYTES).getBigInt64(0, true);
    const rest = packed.subarray(PREFIX_BYTES);
    if (stated !== -1n && stated !== BigInt(length))
      throw new Error(`expected ${length} bytes, the buffer says ${stated}`);
    // In one piece: of the usual pieces of 16 KiB the column would be put together once more.
    const chunkSize = Math.max(constants.Z_MIN_CHUNK, length + 1);
    if (stated !== -1n) {
      const whole = zstdDecompressSync(rest, { maxOutputLength: length, chunkSize });
      if (whole.length < length) throw new Error(`expected ${length} bytes, was ${whole.length}`);
      // The pool that small ones lie in is for everybody.
      return whole.buffer.byteLength > length + 1 ? new Uint8Array(whole) : whole;
    }
    bytes = rest;
  }
  if (bytes.length < length) throw new Error(`expected ${length} bytes, was ${bytes.length}`);
  // Not `slice`: that of a Buffer is a view, and the reader's buffer is used again.
  return new Uint8Array(bytes.subarray(0, length));
}

function bytesOf(view: ArrayBufferView): Uint8Array {
  return new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
}

const align8 = (bytes: number): number => (bytes + 7) & ~7;
