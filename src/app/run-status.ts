/**
 * @module
 * What a person sees of a run while it goes on: one flat picture, taken when it is asked for.
 */

/** One market of a run. Sizes and prices are decimal text. */
export interface MarketStatus {
  readonly symbol: string;
  readonly position: string;
  /** Best own bid and ask that rest, `undefined` when there is none. */
  readonly bid: string | undefined;
  readonly ask: string | undefined;
  /** Why there are no quotes, when there are none. */
  readonly silence: string | undefined;
}

/** The picture. */
export interface RunStatus {
  readonly elapsedMs: number;
  /** starting, reconciling, armed, quoting, degraded, stopping, stopped. */
  readonly state: string;
  /** Why it is degraded. */
  readonly reasons: readonly string[];
  readonly markets: readonly MarketStatus[];
  /** Profit and loss in the collateral token. */
  readonly pnl: string;
  readonly fills: number;
  readonly orders: number;
  readonly unresolved: number;
  /** Seconds until the dead man's switch fires, `undefined` while it is not armed. */
  readonly switchLeftS: number | undefined;
  /** Ids of health items that are red, `H2` and so on; empty: all green. */
  readonly red: readonly string[];
}
