/** @module Small files that people name: looked at before they are opened, and before they are read. */
import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats, statSync } from 'node:fs';
import { ReadFault } from './errors.ts';

/**
 * The text of the file at `path`. A pipe would hold the process until somebody writes to it, a device may have no end and
 * a sparse file may be larger than memory: all are refused unopened.
 * @throws ReadFault for what is no regular file or has more than `maxBytes`, and what the file system answers.
 */
export function readRegularFile(path: string, maxBytes: number): string {
  return readRegularBytes(path, maxBytes).toString('utf8');
}

/** As {@link readRegularFile}, the bytes. */
export function readRegularBytes(path: string, maxBytes: number): Buffer {
  refuse(statSync(path), maxBytes);
  // Another file may be there by now: without waiting, and looked at again.
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    refuse(fstatSync(descriptor), maxBytes);
    return readFileSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function refuse(file: Stats, maxBytes: number): void {
  if (!file.isFile()) throw new ReadFault(`it is ${kindOf(file)}, not a regular file`);
  if (file.size > maxBytes) throw new ReadFault(`it has ${file.size} bytes, more than ${maxBytes}`);
}

function kindOf(file: Stats): string {
  if (file.isDirectory()) return 'a folder';
  if (file.isFIFO()) return 'a pipe';
  return file.isSocket() ? 'a socket' : 'a device';
}
