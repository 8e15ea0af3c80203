/** @module The lines of the log of a run, as who makes them sees who writes them: a thread, or this one where no market waits. */
import type { Clock, Log } from '../../core/index.ts';
import type { BookLists } from './hand-over.ts';
import { createSealedFile } from './sealed-file.ts';

/** The lines of the log of a run, on their way to its file. */
export interface LogLines {
  /** Hands a line over; false: very much waits, and it is lost. `isOwed`: it may not be. `atMs`: 0, it has no time. */
  line(text: string, atMs: number, isOwed: boolean): boolean;
  /** The same for a line in which `book`'s four lists of numbers go where `template` has a NUL each. */
  numbers(template: string, book: BookLists, atMs: number): boolean;
  /** Lines that wait on this side. */
  readonly waiting: number;
  /** Resolves when what was handed over is written. */
  flush(): Promise<void>;
  /** Resolves when it is written and the file closed. */
  close(): Promise<void>;
}

/** Writes the lines in this thread, into `name.zst` in `folder`: for runs that no market waits for. */
export function writeLogLines(options: {
  readonly folder: string;
  readonly name: string;
  readonly clock: Clock;
  readonly log: Log;
}): LogLines {
  const file = createSealedFile(options);
  return {
    line(text, atMs) {
      file.line(text, atMs);
      return true;
    },
    numbers(template, { bidTicks, bidLots, askTicks, askLots, bidCount, askCount }, atMs) {
      const [bids, asks] = [[bidTicks, bidLots] as const, [askTicks, askLots] as const];
      const lists = [
        ...bids.map((list) => list.subarray(0, bidCount)),
        ...asks.map((list) => list.subarray(0, askCount)),
      ];
      file.numbers(template, lists, atMs);
      return true;
    },
    get waiting() {
      return file.waiting;
    },
    flush: () => file.flush(),
    close: () => file.close(),
  };
}
