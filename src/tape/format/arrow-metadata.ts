/**
 * @module
 * Reads the metadata of an Arrow message by its offsets (flatbuffers: a table points to its list of fields). The library
 * believes every length that it finds, and damaged ones made it read for minutes; it also makes an object of each number.
 */
import { ReadFault } from '../../core/index.ts';

/** Kinds of messages and codecs, as the format numbers them. */
const RECORD_BATCH = 3;
const ZSTD = 1;
/** Fields by their index in their tables, as the format declares them. */
const MESSAGE_KIND = 1;
const MESSAGE_HEADER = 2;
const MESSAGE_BODY = 3;
const MESSAGE_METADATA = 4;
const BATCH_ROWS = 0;
const BATCH_NODES = 1;
const BATCH_BUFFERS = 2;
const BATCH_COMPRESSION = 3;
const BATCH_VARIADIC = 4;
const COMPRESSION_CODEC = 0;
/** A node is the rows of a column and how many are absent; a buffer its position in the body and its length. */
const PAIR_BYTES = 16;

/** A record batch as its message describes it. */
export interface BatchHead {
  /** Number of rows. */
  readonly rows: number;
  /** Length of the body in bytes. */
  readonly bodyLength: number;
  /** By column: where in the body its values begin, and their bytes. */
  readonly offsets: readonly number[];
  /** Length of each buffer in bytes. */
  readonly lengths: readonly number[];
}

/**
 * The head of a record batch of `columns` plain columns, packed with zstd one after the other.
 * @throws ReadFault when `bytes` are another message, or an offset leads out of them.
 */
export function batchHeadOf(bytes: Uint8Array, columns: number): BatchHead {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const message = view.getUint32(0, true);
  const kindAt = fieldAt(view, message, MESSAGE_KIND);
  const headerAt = fieldAt(view, message, MESSAGE_HEADER);
  if (kindAt === undefined || headerAt === undefined || view.getUint8(kindAt) !== RECORD_BATCH)
    throw new ReadFault('it is neither a record batch nor the schema of rows');
  if (lengthAt(view, message, MESSAGE_METADATA) > 0)
    throw new ReadFault('it has metadata that no writer of tapes adds');
  const batch = headerAt + view.getUint32(headerAt, true);
  const rows = longAt(view, fieldAt(view, batch, BATCH_ROWS));
  const bodyLength = longAt(view, fieldAt(view, message, MESSAGE_BODY));
  checkLists(view, batch, columns);
  checkNodes(view, batch, { columns, rows });
  return { rows, bodyLength, ...placesOf(view, batch, { columns, bodyLength }) };
}

/** Each column has two buffers: which values are absent (none may be) and the values. */
function checkLists(view: DataView, batch: number, columns: number): void {
  const nodes = lengthAt(view, batch, BATCH_NODES);
  const buffers = lengthAt(view, batch, BATCH_BUFFERS);
  if (nodes !== columns || buffers !== columns * 2)
    throw new ReadFault(`it has ${nodes} columns and ${buffers} buffers`);
  if (lengthAt(view, batch, BATCH_VARIADIC) > 0) throw new ReadFault('it has columns of another kind');
  const packed = fieldAt(view, batch, BATCH_COMPRESSION);
  const codec = packed && fieldAt(view, packed + view.getUint32(packed, true), COMPRESSION_CODEC);
  if (codec === undefined || view.getUint8(codec) !== ZSTD) throw new ReadFault('its codec is not zstd');
}

function checkNodes(view: DataView, batch: number, { columns, rows }: { columns: number; rows: number }) {
  const first = listAt(view, batch, BATCH_NODES);
  for (let at = first; at < first + columns * PAIR_BYTES; at += PAIR_BYTES)
    if (longAt(view, at) !== rows || longAt(view, at + 8) !== 0)
      throw new ReadFault('it has columns with absent values');
}

/** Positions of the values of each column. Buffers follow one another in the body, so that no position can be wrong. */
function placesOf(
  view: DataView,
  batch: number,
  { columns, bodyLength }: { readonly columns: number; readonly bodyLength: number },
): Pick<BatchHead, 'offsets' | 'lengths'> {
  const offsets: number[] = [];
  const lengths: number[] = [];
  const first = listAt(view, batch, BATCH_BUFFERS);
  let end = 0;
  for (let buffer = 0; buffer < columns * 2; buffer++) {
    const offset = longAt(view, first + buffer * PAIR_BYTES);
    const length = longAt(view, first + buffer * PAIR_BYTES + 8);
    const isOfValues = buffer % 2 === 1;
    if (offset !== end || length < 0 || (length > 0 && !isOfValues))
      throw new ReadFault(`its buffer ${buffer} is not where the one before ends`);
    end = Math.ceil((offset + length) / 8) * 8;
    if (!isOfValues) continue;
    offsets.push(offset);
    lengths.push(length);
  }
  if (end !== bodyLength) throw new ReadFault(`its buffers end at ${end}, its body at ${bodyLength}`);
  return { offsets, lengths };
}

/** Position of the field of a table; `undefined`: it is left out. */
function fieldAt(view: DataView, table: number, field: number): number | undefined {
  const fields = table - view.getInt32(table, true);
  const entry = 4 + field * 2;
  if (entry >= view.getUint16(fields, true)) return undefined;
  const offset = view.getUint16(fields + entry, true);
  return offset === 0 ? undefined : table + offset;
}

/** How many entries the list in a field has. */
function lengthAt(view: DataView, table: number, field: number): number {
  const at = fieldAt(view, table, field);
  return at === undefined ? 0 : view.getUint32(at + view.getUint32(at, true), true);
}

/** Where the entries of the list in a field begin. */
function listAt(view: DataView, table: number, field: number): number {
  const at = fieldAt(view, table, field) ?? 0;
  return at + view.getUint32(at, true) + 4;
}

/** An integer of eight bytes; one that is left out is 0. */
function longAt(view: DataView, at: number | undefined): number {
  return at === undefined ? 0 : view.getInt32(at + 4, true) * 2 ** 32 + view.getUint32(at, true);
}
