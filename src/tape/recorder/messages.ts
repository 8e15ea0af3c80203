/** @module Messages between a run and the thread that records it. What is recorded goes another way: `hand-over.ts`. */
import type { Fields } from '../../core/index.ts';

/** What the thread is started with. */
export interface RecordingSettings {
  /** Of the tape, whose manifest is there, and of the log of the run. */
  readonly folder: string;
  /** Where the tape comes from, in words. */
  readonly description: string;
  /** Name of the log of the run. */
  readonly logName: string;
  /** See `hand-over.ts`. */
  readonly memory: SharedArrayBuffer;
  /** See `SharedCounts`. */
  readonly counts: SharedArrayBuffer;
}

/** What the thread is asked for, after all that was handed over before: it answers with the same `id` when that is done. */
export interface ToRecorder {
  readonly id: number;
  readonly what: 'flush log' | 'close log' | 'close';
}

/** What the thread says. */
export type FromRecorder =
  | { readonly kind: 'done'; readonly id: number }
  | {
      readonly kind: 'log';
      readonly level: 'debug' | 'info' | 'warn' | 'error';
      readonly message: string;
      readonly fields?: Fields;
    };

const COUNTS = ['rows', 'recorded', 'leftOut'] as const;

/** What the thread has recorded, in memory that both see. */
export class SharedCounts {
  readonly #counts: Float64Array;

  constructor(memory: SharedArrayBuffer) {
    this.#counts = new Float64Array(memory);
  }

  /** Memory of the counts. */
  static memory(): SharedArrayBuffer {
    return new SharedArrayBuffer(COUNTS.length * Float64Array.BYTES_PER_ELEMENT);
  }

  /** Says how much it is now. */
  write(stats: Readonly<Record<(typeof COUNTS)[number], number>>): void {
    for (const [at, name] of COUNTS.entries()) this.#counts[at] = stats[name];
  }

  /** How much it was when the thread last said so. */
  read(): Readonly<Record<(typeof COUNTS)[number], number>> {
    const [rows = 0, recorded = 0, leftOut = 0] = this.#counts;
    return { rows, recorded, leftOut };
  }
}
