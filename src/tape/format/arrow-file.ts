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
import { constants, zstdCompressSync } from 'node:zlib';
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
import { COLUMN_BYTES, LateBatch, type PackedBatch, unpackEarly, wholeBatch } from './arrow-batch.ts';
import { ArrowFault, type FileEnd, type ReadAt } from './arrow-fault.ts';
import { flawOfMetadata } from './arrow-metadata.ts';
import { BATCH_ROWS_MAX, type EventBatch } from './events.ts';
import { BATCHES_AHEAD, type UnpackAhead } from './unpack-ahead.ts';

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

type Column = keyof typeof COLUMN_BYTES;

/**
 * The columns in their order. Times are Float64 of whole microseconds: a column is then used as it was unpacked,
 * which read 15 % faster than Int64, and every value is a safe integer.
 */
const COLUMNS: readonly { readonly name: Column; readonly type: DataType }[] = [
  { name: 'kind', type: new Uint8() },
  { name: 'flags', type: new Uint8() },
  { name: 'market', type: new Uint16() },
  { name: 'exchangeUs', type: new Float64() },
  { name: 'receivedUs', type: new Float64() },
  { name: 'price', type: new Uint32() },
  { name: 'size', type: new Float64() },
  { name: 'id', type: new Float64() },
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

/** How a file is read that was held against its hash. */
export interface ProvenReading {
  /** What is thrown for a column that is unpacked when it is first read. */
  late(fault: ArrowFault): Error;
  /** Unpacks what comes next meanwhile; absent: nobody does. */
  readonly ahead?: UnpackAhead | undefined;
}

/**
 * The batches of a file in order; `end` is filled in when the walk is over. A file that ends within a message or
 * before its end mark is torn, which is told in `end`. @throws ArrowFault for bytes that no cut explains.
 */
export function* readArrowFile(readAt: ReadAt, end: FileEnd, proven?: ProvenReading): Generator<EventBatch> {
  const walk = walkBatches(readAt);
  const found: (Found | string)[] = [];
  const ahead = proven?.ahead;
  const foundMax = ahead === undefined ? 1 : BATCHES_AHEAD;
  for (let isOver = false; ; ) {
    while (!isOver && found.length < foundMax) {
      const step = walk.next();
      isOver = step.done === true;
      if (step.value === undefined) break;
      found.push(step.value);
      if (typeof step.value !== 'string') ahead?.ask(step.value.batch);
    }
    const next = found.shift();
    if (next === undefined) return;
    const batch = typeof next === 'string' ? next : batchOf(next.batch, readAt, proven);
    if (typeof batch === 'string') {
      end.torn = batch;
      return;
    }
    end.batches += 1;
    if (typeof next !== 'string') end.wholeBytes = next.toBytes;
    yield batch;
  }
}

/** A batch, and where it ends. */
interface Found {
  readonly batch: PackedBatch;
  readonly toBytes: number;
}

function batchOf(
  batch: PackedBatch,
  readAt: ReadAt,
  proven: ProvenReading | undefined,
): EventBatch | 'a batch' {
  const values = proven?.ahead?.take(batch.index);
  if (proven !== undefined && values !== undefined) return new LateBatch(batch, values, proven.late);
  const body = readAt(batch.bodyAt, batch.bodyBytes);
  if (body.length < batch.bodyBytes) return 'a batch';
  if (proven === undefined) return wholeBatch(batch, body);
  return new LateBatch(batch, unpackEarly(batch, body), proven.late);
}

/** Where the batches lie; in the end a text where something of the file is missing. */
function* walkBatches(readAt: ReadAt): Generator<Found, string | undefined> {
  const magic = readAt(0, MAGIC.length);
  if (magic.length < MAGIC.length) return 'its head';
  if (!MAGIC.equals(magic)) throw new ArrowFault('this is no Arrow file', true);
  let index = 0;
  for (let position = MAGIC.length; ; ) {
    const step = readMessage(readAt, position);
    if (step === 'end') return undefined;
    if (typeof step === 'string') return step;
    const { message, body } = step;
    position = body.offset + body.length;
    if (!message.isRecordBatch()) continue;
    yield { batch: packedBatchOf(message.header(), body, index), toBytes: position };
    index++;
  }
}

interface Step {
  readonly message: Message;
  readonly body: Region;
}

/** The message at `position`; a text says what of it is missing because the file ends. */
function readMessage(readAt: ReadAt, position: number): Step | 'end' | 'a message' | 'its end mark' {
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
  if (!(message.bodyLength >= 0 && message.bodyLength <= BODY_BYTES_MAX))
    throw new ArrowFault(`byte ${position}: a body of ${message.bodyLength} bytes is not possible`);
  return { message, body: { offset: position + PREFIX_BYTES + length, length: message.bodyLength } };
}

/** All columns of a full batch, unpacked, with a little for their heads. */
const BODY_BYTES_MAX =
  BATCH_ROWS_MAX * Object.values(COLUMN_BYTES).reduce((sum, bytes) => sum + bytes + 1, 0) + 4_096;

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

/** Where the columns of a record batch lie. Each has two buffers: which values are absent (none may be) and the values. */
function packedBatchOf(header: BatchHeader, body: Region, index: number): PackedBatch {
  const { length: rows, nodes, buffers, compression } = header;
  if (!(rows >= 0 && rows <= BATCH_ROWS_MAX))
    throw new ArrowFault(`batch ${index}: ${rows} rows are not possible`);
  if (buffers.length !== COLUMNS.length * 2 || nodes.some((node) => node.nullCount > 0))
    throw new ArrowFault(`batch ${index}: expected ${COLUMNS.length} columns without absent values`);
  return {
    index,
    rows,
    isPacked: compression !== null,
    bodyAt: body.offset,
    bodyBytes: body.length,
    parts: COLUMNS.map((_column, place) => {
      const { offset, length } = buffers[place * 2 + 1] ?? { offset: 0, length: 0 };
      return { offset: Number(offset), length: Number(length) };
    }),
  };
}

function bytesOf(view: ArrayBufferView): Uint8Array {
  return new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
}

const align8 = (bytes: number): number => (bytes + 7) & ~7;
