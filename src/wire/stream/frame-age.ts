/**
 * @module
 * How late frames are by the exchange's own time: what has just arrived may be old all the same (I25). A frame is stamped
 * with the time of its block, and is as new as can be until the next block begins: the shortest time between two blocks
 * that were seen lately is no delay. A frame that is late, or that comes from the future, may as well mean that the
 * exchange's time is not what it is believed to be: only one who reads it can tell, so each is a reason to read it.
 */
import type { Metrics } from '../../core/index.ts';
import type { ExchangeTime } from './ports.ts';

/** What is less late than this is in time, whatever the blocks. */
const LATE_MS_MIN = 500;
/** Further ahead of the exchange's time no frame can be, but for what the time is not known by. */
const AHEAD_MS_MAX = 500;
/** Times between blocks that are remembered. */
const STEPS_MAX = 20;

/** The lateness of the frames of one connection. */
export class FrameAge {
  readonly #time: ExchangeTime | undefined;
  readonly #meter: Metrics;
  #newestMs: number | undefined;
  #steps: number[] = [];

  /** Without a time all is new. */
  constructor(options: { readonly exchangeTime?: ExchangeTime | undefined; readonly meter: Metrics }) {
    this.#time = options.exchangeTime;
    this.#meter = options.meter;
  }

  /** How late a frame is that was made at `tsMs`, ms; 0 where that is not known. */
  lateMs(tsMs: number | undefined): number {
    if (tsMs === undefined) return 0;
    this.#noteBlock(tsMs);
    const ageMs = this.#time?.ageOf(tsMs);
    if (ageMs === undefined) return 0;
    if (ageMs < -AHEAD_MS_MAX) this.#time?.suspect();
    if (ageMs < LATE_MS_MIN || ageMs < this.#blockMs()) return 0;
    // The first one may be of a block that is long: that tells nothing of the time yet.
    if (this.#steps.length > 0) this.#time?.suspect();
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
