/** @module Unpacks the buffer of a column, without the library of the format: so that a thread of its own can do it. */
import { constants, zstdDecompressSync } from 'node:zlib';

/** Before a packed buffer stands its unpacked length; -1: it is not packed. */
export const LENGTH_BYTES = 8;

/** The `length` bytes of a column, at the head of a buffer of their own. @throws Error when it holds others. */
export function unpack(packed: Uint8Array, length: number, isPacked: boolean): Uint8Array<ArrayBuffer> {
  if (length === 0) return new Uint8Array(0);
  if (!isPacked) return whole(packed, length).slice(0, length) as Uint8Array<ArrayBuffer>;
  const stated = new DataView(packed.buffer, packed.byteOffset, LENGTH_BYTES).getBigInt64(0, true);
  const rest = packed.subarray(LENGTH_BYTES);
  if (stated === -1n) return whole(rest, length).slice(0, length) as Uint8Array<ArrayBuffer>;
  if (stated !== BigInt(length)) throw new Error(`expected ${length} bytes, the buffer says ${stated}`);
  // In one piece: of the usual pieces of 16 KiB the column would be put together once more.
  const chunkSize = Math.max(constants.Z_MIN_CHUNK, length + 1);
  const bytes = whole(zstdDecompressSync(rest, { maxOutputLength: length, chunkSize }), length);
  // The pool that small ones lie in is for everybody.
  const isAlone = bytes.buffer.byteLength <= length + 1;
  return (isAlone ? bytes : bytes.slice()) as Uint8Array<ArrayBuffer>;
}

function whole(bytes: Uint8Array, length: number): Uint8Array {
  if (bytes.length < length) throw new Error(`expected ${length} bytes, was ${bytes.length}`);
  return bytes;
}
