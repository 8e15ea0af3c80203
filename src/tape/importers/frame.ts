/** @module What a reader makes of records: rows that happened together. */
import type { EventKind } from '../format/index.ts';

/** Places among frames of one instant: levels show what its trades have left, best quotes run ahead of levels. */
export const RANK = { price: 0, trade: 1, levels: 2, best: 3, hole: 4 } as const;

/** A row of a frame: kind, price, size, id. */
export type FrameRow = readonly [kind: EventKind, price: number, size: number, id: number];

/** Rows that happened together. */
export interface Frame {
  /** Exchange time, Unix us. */
  readonly exchangeUs: number;
  /** Receive time, Unix us. */
  readonly receivedUs: number;
  readonly rank: (typeof RANK)[keyof typeof RANK];
  /** Index of the market. */
  readonly market: number;
  /** Rows of the frame, in order. */
  readonly rows: readonly FrameRow[];
  /** Of the one row of a custom feed, whose market is its index: its value as JSON. */
  readonly line?: string;
}
