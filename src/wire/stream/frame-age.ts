/**
 * @module
 * How late frames are by the exchange's own time: what has just arrived may be old all the same (I25). A frame is stamped
 * with the time of its block, and is as new as can be until the next block begins: the shortest time between two blocks
 * that were seen lately is no delay.
 */
import type { Metrics } from '../../core/index.ts';

/** What is less late than this is in time, whatever the blocks. */
const LATE_MS_MIN = 500;
/** Times between blocks that are remembered. */
const STEPS_MAX = 20;

/** The lateness of the frames of one connection. */
export class FrameAge {
  readonly #ageOf: ((exchangeMs: number) => number | undefined) | undefined;
  readonly #meter: Metrics;
  #newestMs: number | undefined;
  #steps: number[] = [];

  /** `ageOf`: how old an instant of the exchange is, `undefined` while that is not known; absent: all is new. */
  constructor(options: {
    readonly ageOf?: ((exchangeMs: number) => number | undefined) | undefined;
    readonly meter: Metrics;
  }) {
    this.#ageOf = options.ageOf;
    this.#meter = options.meter;
  }

  /** How late a frame is that was made at `tsMs`, ms; 0 where that is not known. */
  lateMs(tsMs: number | undefined): number {
    if (tsMs === undefined) return 0;
    this.#noteBlock(tsMs);
    const ageMs = this.#ageOf?.(tsMs);
    if (ageMs === undefined || ageMs < LATE_MS_MIN || ageMs < this.#blockMs()) return 0;
    this.#meter.count('stream_late_frames_total');
    return Math.round(ageMs);
  }

  #noteBlock(tsMs: number): void {
    const newestMs = this.#newestMs;
    if (newestMs !== undefined && tsMs <= newestMs) return;
    this.#newestMs = tsMs;
    if (newestMs === undefined) return;
    this.#steps.push(tsMs - newestMs);
    if (this.#steps.length > STEPS_MAX) this.#steps.shift();
  }

  /** Time between two blocks, as far as it was seen; 0: it was not. */
  #blockMs(): number {
    return this.#steps.length === 0 ? 0 : Math.min(...this.#steps);
  }
}
