/** @module Files that people name: looked at before they are opened, and before they are read or written. */
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  openSync,
  readFileSync,
  type Stats,
  statSync,
} from 'node:fs';
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

/**
 * Opens the file at `path` to write behind its end; where there is none it is made, for its owner alone. A pipe would hold
 * the process until somebody reads it, and what a device does with a line nobody knows.
 * @throws ReadFault for what is no regular file, and what the file system answers.
 */
export function openToAppend(path: string): number {
  if (existsSync(path)) refuse(statSync(path));
  const { O_WRONLY, O_CREAT, O_APPEND, O_NONBLOCK } = constants;
  const descriptor = openSync(path, O_WRONLY | O_CREAT | O_APPEND | O_NONBLOCK, 0o600);
  try {
    refuse(fstatSync(descriptor));
    return descriptor;
  } catch (fault) {
    closeSync(descriptor);
    throw fault;
  }
}

function refuse(file: Stats, maxBytes = Number.POSITIVE_INFINITY): void {
  if (!file.isFile()) throw new ReadFault(`it is ${kindOf(file)}, not a regular file`);
  if (file.size > maxBytes) throw new ReadFault(`it has ${file.size} bytes, more than ${maxBytes}`);
}

function kindOf(file: Stats): string {
  if (file.isDirectory()) return 'a folder';
  if (file.isFIFO()) return 'a pipe';
  return file.isSocket() ? 'a socket' : 'a device';
}
