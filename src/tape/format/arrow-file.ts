/**
 * @module
 * One `events-*.arrow` file: an Arrow IPC file of record batches with zstd buffers, readable by pyarrow, DuckDB and
 * polars. The library writes the wrong length before a compressed buffer (the compressed one; other readers refuse
 * it), so the body is put together here; messages, schema and footer are the library's.
 *
 *   magic, schema ─ batch ─ batch ─ … ─ end mark, footer, magic
 *
 * Reading walks the messages in order and needs no footer: a truncated file is read to its last complete batch.
 */

import {
  CompressionType,
  Message,
  makeData,
  RecordBatch,
  RecordBatchFileWriter,
  type Schema,
  Struct,
} from 'apache-arrow';
import { ReadFault } from '../../core/index.ts';
import { ArrowFault, type FileEnd, type ReadAt } from './arrow-fault.ts';
import { LAYOUTS, type Layout, layoutOfVersion, WORD_COLUMNS } from './arrow-layout.ts';
import { type BatchHead, batchHeadOf } from './arrow-metadata.ts';
import { BATCH_ROWS_MAX, type EventBatch } from './events.ts';
import { TAPE_VERSION } from './manifest.ts';
import { ColumnPacker, PackedColumns, type Repeated } from './packed-columns.ts';
import { batchOf, RowSplitter } from './stored-batch.ts';

/** What an Arrow file begins with, padding included. */
const MAGIC = Buffer.from('ARROW1\0\0', 'latin1');
/** Continuation mark and length before each message. */
const PREFIX_BYTES = 8;
/** A message of all columns is about a thousand bytes; more is damage. */
const METADATA_BYTES_MAX = 65_536;
/** All columns of a full batch, unpacked, with a little for their heads. */
const BODY_BYTES_MAX =
  BATCH_ROWS_MAX * WORD_COLUMNS.columns.reduce((sum, { bytes }) => sum + bytes + 1, 0) + 4_096;

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
export class ArrowFileWriter {
  readonly #layout: Layout;
  readonly #splitter: RowSplitter;
  readonly #stream: PackedStream;

  /** For a tape of `version`: an older one is repaired, and stays what it is. */
  constructor(put: (bytes: Uint8Array) => void, version = TAPE_VERSION) {
    this.#layout = layoutOfVersion(version);
    this.#splitter = new RowSplitter(this.#layout);
    this.#stream = new PackedStream(put, this.#layout.schema);
  }

  /** Bytes written so far. */
  get position(): number {
    return this.#stream.position;
  }

  /** Writes `batch` as one record batch. */
  writeRows(batch: EventBatch): void {
    const { columns, schema } = this.#layout;
    const stored = this.#splitter.columns(batch);
    const children = columns.map(({ type }, column) =>
      makeData({ type, length: batch.rows, nullCount: 0, data: stored[column] } as Parameters<
        typeof makeData
      >[0]),
    );
    const type = new Struct(schema.fields);
    this.#stream.write(
      new RecordBatch(schema, makeData({ type, length: batch.rows, nullCount: 0, children })),
    );
  }

  /** Writes the footer. */
  end(): void {
    this.#stream.end();
  }
}

/** The messages of a file. No type of the package names this class, so that an installation does without the library. */
class PackedStream extends RecordBatchFileWriter {
  readonly #put: (bytes: Uint8Array) => void;
  readonly #fileSchema: Schema;
  readonly #packer = new ColumnPacker();

  constructor(put: (bytes: Uint8Array) => void, schema: Schema) {
    super({ compressionType: CompressionType.ZSTD, autoDestroy: false });
    this.#put = put;
    this.#fileSchema = schema;
    this.reset(undefined, schema);
  }

  get position(): number {
    return this._position;
  }

  end(): void {
    this._writeFooter(this.#fileSchema);
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
    for (const [index, buffer] of buffers.entries()) {
      const bytes = bytesOf(buffer);
      if (bytes.length === 0) {
        parts.push(bytes, bytes);
        regions.push({ offset: position, length: 0 });
        continue;
      }
      const { prefix, body } = this.#packer.pack(index, bytes);
      const length = prefix.byteLength + body.length;
      parts.push(prefix, body);
      regions.push({ offset: position, length });
      position = align8(position + length);
    }
    return { byteLength: position, bufferRegions: regions, buffers: parts };
  }
}

/**
 * The batches of a file in order; `end` is filled in when the walk is over. A file that ends within a message or before
 * its end mark is truncated, which `end` reports. @throws ArrowFault for bytes that no cut explains.
 *
 * With `late` columns that many readers do not read are unpacked when they are first read; what is thrown then `late`
 * makes of the fault.
 */
export function* readArrowFile(
  readAt: ReadAt,
  end: FileEnd,
  late?: (fault: ArrowFault) => Error,
): Generator<EventBatch> {
  const magic = readAt(0, MAGIC.length);
  if (magic.length < MAGIC.length) {
    end.truncated = 'its head';
    return;
  }
  if (!MAGIC.equals(magic)) throw new ArrowFault('this is no Arrow file', true);
  const repeated: Repeated = [];
  let layout: Layout | undefined;
  let position = MAGIC.length;
  for (;;) {
    const message = readMessage(readAt, position);
    if (message === 'end') return;
    if (typeof message === 'string') {
      end.truncated = message;
      return;
    }
    const { metadata, bodyAt } = message;
    if (layout === undefined) {
      layout = layoutOf(metadata);
      position = bodyAt;
      continue;
    }
    const head = headOf(metadata, layout, position);
    const body = readAt(bodyAt, head.bodyLength);
    if (body.length < head.bodyLength) {
      end.truncated = 'a batch';
      return;
    }
    const packed = new PackedColumns(layout, { head, body, index: end.batches, repeated });
    const batch = batchOf(packed, late ?? ((fault) => fault));
    if (late === undefined) void [batch.receivedUs, batch.id];
    position = bodyAt + head.bodyLength;
    end.batches += 1;
    end.wholeBytes = position;
    yield batch;
  }
}

interface FoundMessage {
  readonly metadata: Uint8Array;
  /** After the metadata. */
  readonly bodyAt: number;
}

/** The message at `position`; a text says what of it is missing because the file ends. */
function readMessage(readAt: ReadAt, position: number): FoundMessage | 'end' | 'a message' | 'its end mark' {
  const prefix = readAt(position, PREFIX_BYTES);
  if (prefix.length < PREFIX_BYTES) return 'its end mark';
  const view = new DataView(prefix.buffer, prefix.byteOffset, PREFIX_BYTES);
  const length = view.getInt32(4, true);
  if (view.getInt32(0, true) !== -1 || length < 0 || length > METADATA_BYTES_MAX)
    throw new ArrowFault(`byte ${position}: expected the head of a message`);
  if (length === 0) return 'end';
  const metadata = readAt(position + PREFIX_BYTES, length);
  if (metadata.length < length) return 'a message';
  return { metadata, bodyAt: position + PREFIX_BYTES + length };
}

/** The layout of the first message of a file; files of other programs have another. */
function layoutOf(metadata: Uint8Array): Layout {
  const told = LAYOUTS.find((known) => known.metadata.equals(metadata.subarray(0, known.metadata.length)));
  if (told === undefined)
    throw new ArrowFault(`byte ${MAGIC.length}: a message that is not the schema of rows`, true);
  return told;
}

function headOf(metadata: Uint8Array, layout: Layout, position: number): BatchHead {
  try {
    const head = batchHeadOf(metadata, layout.columns.length);
    if (head.bodyLength > BODY_BYTES_MAX)
      throw new ReadFault(`a body of ${head.bodyLength} bytes is not possible`);
    return head;
  } catch (cause) {
    throw new ArrowFault(`byte ${position}: a message that cannot be read (${String(cause)})`);
  }
}

function bytesOf(view: ArrayBufferView): Uint8Array {
  return new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
}

const align8 = (bytes: number): number => (bytes + 7) & ~7;
