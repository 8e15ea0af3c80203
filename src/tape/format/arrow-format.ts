/**
 * @module
 * The way to files of rows: their code and its library, a hundred and fifty modules, are loaded when the first file is
 * opened. Most commands open none, and a start of theirs took a fifth longer.
 */
import { createRequire } from 'node:module';
import { extname } from 'node:path';

/** A run of bytes of a file; fewer than asked for at its end. */
export type ReadAt = (position: number, length: number) => Uint8Array;

/** What a walk through a file tells of its end. */
export interface FileEnd {
  /** Behind the last whole batch. */
  wholeBytes: number;
  batches: number;
  /** Absent: the end mark stands where it should. */
  torn: string | undefined;
}

/** Anything in a file that is not as the format says, with its place within the file. */
export class ArrowFault extends Error {
  readonly foreign: boolean;

  constructor(message: string, foreign = false) {
    super(message);
    this.foreign = foreign;
  }
}

const load = createRequire(import.meta.url);

/** Reader and writer of files of rows. At once: the worker of a recording must not wait between two rows. */
export function arrowFiles(): typeof import('./arrow-file.ts') {
  // Beside this file, whether it runs as it is or was built.
  return load(`./arrow-file${extname(import.meta.filename)}`);
}
