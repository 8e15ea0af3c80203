/**
 * @module
 * Looks at the metadata of an Arrow message before the library decodes it. The library believes every length that it
 * finds: damaged ones make it read for minutes. Offsets are those of flatbuffers (a table points to its list of fields).
 */

/** Kinds of messages, as the format numbers them. */
const RECORD_BATCH = 3;
/** Fields by their place in their tables, as the format declares them. */
const MESSAGE_KIND = 1;
const MESSAGE_HEADER = 2;
const MESSAGE_METADATA = 4;
const BATCH_NODES = 1;
const BATCH_BUFFERS = 2;
const BATCH_VARIADIC = 4;

/**
 * Why the lists of a message cannot be those of a record batch of `columns` plain columns; `undefined` when they can,
 * or when it is no record batch. @throws RangeError when an offset leads out of `bytes`.
 */
export function flawOfMetadata(bytes: Uint8Array, columns: number): string | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const message = view.getUint32(0, true);
  const kindAt = fieldAt(view, message, MESSAGE_KIND);
  if (kindAt === undefined || view.getUint8(kindAt) !== RECORD_BATCH) return undefined;
  if (lengthAt(view, message, MESSAGE_METADATA) > 0) return 'metadata that no writer of tapes adds';
  const headerAt = fieldAt(view, message, MESSAGE_HEADER);
  if (headerAt === undefined) return 'no record batch';
  const batch = headerAt + view.getUint32(headerAt, true);
  const nodes = lengthAt(view, batch, BATCH_NODES);
  const buffers = lengthAt(view, batch, BATCH_BUFFERS);
  if (nodes !== columns || buffers !== columns * 2) return `${nodes} columns and ${buffers} buffers`;
  return lengthAt(view, batch, BATCH_VARIADIC) > 0 ? 'columns of another kind' : undefined;
}

/** Where the field of a table lies; `undefined`: it is left out. */
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
