/**
 * @module
 * What a recorded flow needs of a recording: a synchronous queue of events that somebody else fills. The event types
 * are written down here once more because rooms of one layer are blind to each other; the recorded market of the tape
 * room satisfies them as it is. What this does not do: read files, pace, repair books.
 */
import type { UnixMs } from '../../core/index.ts';
import type { Lots, Side, Ticks } from '../../domain/index.ts';

/** One resting level of a recording. */
export interface RecordedFlowLevel {
  readonly priceTicks: Ticks;
  readonly sizeLots: Lots;
}

/** Levels of one side, best first, without repeated prices, sizes above zero. */
export type RecordedFlowLevels = readonly RecordedFlowLevel[];

/** A full new set of resting levels; what is not in it rests no more. */
export interface RecordedFlowBook {
  readonly kind: 'levels';
  readonly atMs: UnixMs;
  readonly bids: RecordedFlowLevels;
  readonly asks: RecordedFlowLevels;
}

/** A recorded execution against the book, with the side of its taker. */
export interface RecordedFlowTrade {
  readonly kind: 'trade';
  readonly atMs: UnixMs;
  readonly aggressor: Side;
  readonly priceTicks: Ticks;
  readonly sizeLots: Lots;
}

/** Prices that the recorded exchange published. */
export interface RecordedFlowMark {
  readonly kind: 'mark';
  readonly atMs: UnixMs;
  readonly indexTicks: Ticks;
}

/** Nothing was recorded after `atMs` until `untilMs`. */
export interface RecordedFlowHole {
  readonly kind: 'hole';
  readonly atMs: UnixMs;
  readonly untilMs: UnixMs;
}

/** One event of a recording in ticks and lots of the market it drives; exchange time of the recording. */
export type RecordedFlowEvent = RecordedFlowBook | RecordedFlowTrade | RecordedFlowMark | RecordedFlowHole;

/** A recording as a queue in order of time, read synchronously. */
export interface RecordedSource {
  /** The next event without taking it; `undefined`: nothing is buffered, see {@link isEnded}. */
  peek(): RecordedFlowEvent | undefined;
  /** Takes the next event. */
  shift(): RecordedFlowEvent | undefined;
  /** True when nothing will come after what is buffered. */
  readonly isEnded: boolean;
  /** Locked or crossed books that were repaired on the way here, as far as the recording has been read. */
  readonly lockedRepaired?: number;
}
