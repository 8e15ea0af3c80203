/** @module Where the bench and the strategy of G5 meet: the runtime loads the strategy as a module of its own. */

/** What the bench hears. */
export interface TickListener {
  /** Everything is known: ticks may begin. */
  onReady(): void;
  /** A book that no order was wanted on. */
  onBook(): void;
  /** The order of the tick is over. */
  onDone(): void;
  /** There was none, or it did not end as it must. */
  onFailed(why: string): void;
}

/** Joins the bench and the strategy it cannot see into. */
export const tickPort: { listener: TickListener | undefined; isWanted: boolean } = {
  listener: undefined,
  isWanted: false,
};
