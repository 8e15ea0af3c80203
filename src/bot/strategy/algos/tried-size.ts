/**
 * @module
 * How large an order may be that is tried. A component does not know the limits of risk: what was denied is tried again
 * half as large, whichever limit it was, and larger ones again once one was accepted.
 */
import type { Ticks } from '../../../domain/index.ts';
import type { MarketView } from '../context.ts';
import { placeableOf } from './children.ts';

const NO_LIMIT = Number.MAX_SAFE_INTEGER;

/** See the module. */
export class TriedSize {
  #lotsMax = NO_LIMIT;

  /** An order was accepted: twice as much may be tried. */
  accepted(): void {
    this.#lotsMax = Math.min(NO_LIMIT, this.#lotsMax * 2);
  }

  /** An order of this many lots was denied. */
  denied(sizeLots: number): void {
    this.#lotsMax = Math.max(1, Math.floor(sizeLots / 2));
  }

  /** The size to place of `wantedLots`, lots; 0: none that the market takes. */
  of(view: MarketView, priceTicks: Ticks, wantedLots: number): number {
    const mostLots = Math.min(wantedLots, this.#lotsMax);
    const sizeLots = placeableOf(view, priceTicks, mostLots);
    // Made too small to be placed at all: begin again from above.
    if (sizeLots === 0 && mostLots === this.#lotsMax) this.#lotsMax = NO_LIMIT;
    return sizeLots;
  }
}
