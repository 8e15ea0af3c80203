/** @module What is said of a file of rows while it is read, without the library of the format. */

/** A run of bytes of a file; fewer than asked for at its end. */
export type ReadAt = (position: number, length: number) => Uint8Array;

/** How a file ended. */
export interface FileEnd {
  /** After the last complete batch. */
  wholeBytes: number;
  /** Number of complete batches. */
  batches: number;
  /** Absent: the end mark is where it should be. */
  truncated: string | undefined;
}

/** Anything in a file that is not as the format says, with its location within the file. */
export class ArrowFault extends Error {
  readonly foreign: boolean;

  constructor(message: string, foreign = false) {
    super(message);
    this.foreign = foreign;
  }
}
