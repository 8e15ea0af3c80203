/**
 * @module
 * Orders that do not go into the book at once, as they are asked for: over time, or when the index price is reached.
 */
import type { MarketSymbol } from './ids.ts';
import type { Side } from './side.ts';
import type { Lots } from './units.ts';

/** A time-weighted order: `sizeLots` in `slices` IOC orders, one per `intervalMs` (wire-facts 2.2). */
export interface TwapSpec {
  readonly symbol: MarketSymbol;
  readonly side: Side;
  readonly sizeLots: Lots;
  readonly slices: number;
  readonly intervalMs: number;
  /** The limit of a slice lies this far from the index price, below 1,000,000. */
  readonly priceTolerancePpm: number;
  readonly reduceOnly: boolean;
}
