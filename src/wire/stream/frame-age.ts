/**
 * @module
 * How late frames are by the exchange's own time: what has just arrived may be old all the same (I25). A frame is stamped
 * with the time of its block, and is as new as can be until the next one has come: the length of a block
 * (block-length.ts) is no delay, nor is the way of a frame that left at its end. A frame that is late, or that comes from
 * the future, may as well mean that the exchange's time is not what it is believed to be: only one who reads it can tell,
 * so each is a reason to read it.
 */
import type { Metrics } from '../../core/index.ts';
import { BlockLength } from './block-length.ts';
import type { ExchangeTime } from './ports.ts';

/** What is less late than this is in time, whatever the blocks. */
const LATE_MS_MIN = 500;
/** Further ahead of the exchange's time no frame can be, but for what the time is not known by. */
const AHEAD_MS_MAX = 500;

/** The lateness of the frames of one connection. */
export class FrameAge {
  readonly #time: ExchangeTime | undefined;
  readonly #meter: Metrics;
  readonly #blocks: BlockLength;

  /** Without a time all is new. `blocks`: where the length of blocks is kept that others need, too. */
  constructor(options: {
    readonly exchangeTime?: ExchangeTime | undefined;
    readonly meter: Metrics;
    readonly blocks?: BlockLength | undefined;
  }) {
    this.#time = options.exchangeTime;
    this.#meter = options.meter;
    this.#blocks = options.blocks ?? new BlockLength();
  }

  /** How late a frame is that was made at `tsMs`, ms; 0 where that is not known. */
  lateMs(tsMs: number | undefined): number {
    if (tsMs === undefined) return 0;
    const ageMs = this.#time?.ageOf(tsMs);
    if (ageMs !== undefined && ageMs < -AHEAD_MS_MAX) {
      // Either time is false. Noted as a block's, one from far ahead would make blocks so long that nothing is ever late.
      this.#time?.suspect();
      return 0;
    }
    this.#blocks.note(tsMs);
    if (ageMs === undefined) return 0;
    if (ageMs < LATE_MS_MIN || ageMs < this.#blocks.untilNextMs) return 0;
    // The first one may be of a block that is long: that tells nothing of the time yet.
    if (this.#blocks.isKnown) this.#time?.suspect();
    this.#meter.count('stream_late_frames_total');
    return Math.round(ageMs);
  }
}
