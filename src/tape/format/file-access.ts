/** @module Reads pieces of a file of a tape into one buffer, and proves its bytes. */
import { createHash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { messageOf } from '../../core/index.ts';
import type { ReadAt } from './arrow-fault.ts';
import type { TapeFile } from './manifest.ts';
import { tapeError } from './tape-error.ts';

const CHUNK_BYTES = 1_048_576;
/** A file of up to this size is read once: what is proven by its hash is then the very memory that rows come from. */
const WHOLE_BYTES_MAX = 16 * CHUNK_BYTES;

/** What there is at a path, for people. @throws ProtocolError `TAPE_UNREADABLE` when that cannot be seen. */
export function foundAt(path: string): 'nothing' | 'a folder' | 'a file' {
  const found = reading(path, () => statSync(path, { throwIfNoEntry: false }));
  if (found === undefined) return 'nothing';
  return found.isDirectory() ? 'a folder' : 'a file';
}

/** The text of a file. @throws ProtocolError `TAPE_UNREADABLE`. */
export function readText(path: string): string {
  return reading(path, () => readFileSync(path, 'utf8'));
}

/** Opens a file to read it. @throws ProtocolError `TAPE_UNREADABLE`. */
export function openFile(path: string): number {
  return reading(path, () => openSync(path, 'r'));
}

/** What `read` gives. @throws ProtocolError `TAPE_UNREADABLE` where the system does not let `path` be read. */
export function reading<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    throw tapeError('TAPE_UNREADABLE', path, `expected to read it, but ${messageOf(cause)}`, cause);
  }
}

/** Calls `work` with a reader of the first `bytes` of the file (default: all) and its size. */
export function withFile<T>(path: string, work: (readAt: ReadAt, size: number) => T, bytes?: number): T {
  const descriptor = openFile(path);
  try {
    const { size } = fstatSync(descriptor);
    return work(readerOf(descriptor, bytes ?? size), size);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Reads pieces of the first `size` bytes. A small file is read whole with its first piece; of others the pieces come into
 * one buffer, which the next piece overwrites.
 */
export function readerOf(descriptor: number, size: number, wholeBytesMax = WHOLE_BYTES_MAX): ReadAt {
  return size <= wholeBytesMax ? wholeReader(descriptor, size) : pieceReader(descriptor, size);
}

function wholeReader(descriptor: number, size: number): ReadAt {
  let whole: Buffer | undefined;
  return (position, length) => {
    whole ??= readInto(descriptor, Buffer.allocUnsafeSlow(size), 0);
    return whole.subarray(Math.min(position, whole.length), position + Math.max(0, length));
  };
}

function pieceReader(descriptor: number, size: number): ReadAt {
  let buffer = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, size));
  return (position, length) => {
    const wanted = Math.max(0, Math.min(length, size - position));
    if (buffer.length < wanted) buffer = Buffer.allocUnsafe(wanted);
    return readInto(descriptor, buffer.subarray(0, wanted), position);
  };
}

/** Fills `buffer` from `position` on; shorter where the file ends. */
function readInto(descriptor: number, buffer: Buffer, position: number): Buffer {
  let done = 0;
  while (done < buffer.length) {
    const count = readSync(descriptor, buffer, done, buffer.length - done, position + done);
    if (count === 0) break;
    done += count;
  }
  return buffer.subarray(0, done);
}

/** SHA-256 over the first `length` bytes, hex. */
export function hashOf(readAt: ReadAt, length: number): string {
  const hash = createHash('sha256');
  for (let position = 0; position < length; position += CHUNK_BYTES) {
    hash.update(readAt(position, Math.min(CHUNK_BYTES, length - position)));
  }
  return hash.digest('hex');
}

/** @throws ProtocolError unless the bytes of `file` are those of the manifest. */
export function proveFile(path: string, file: TapeFile, readAt: ReadAt): void {
  if (hashOf(readAt, file.bytes) !== file.sha256)
    throw tapeError(
      'TAPE_DAMAGED',
      path,
      'expected the bytes of its hash, got others: the file was changed after it was written',
    );
}
