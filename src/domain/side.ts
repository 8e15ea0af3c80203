/** @module Sides of orders and of positions. */
import { type Lots, lots } from './units.ts';

/** The side of an order. */
export type Side = 'buy' | 'sell';

/** The other side. */
export function oppositeOf(side: Side): Side {
  return side === 'buy' ? 'sell' : 'buy';
}

/** `sizeLots` with the sign it adds to a position: plus for buy. */
export function signedLots(side: Side, sizeLots: Lots): Lots {
  return side === 'buy' ? sizeLots : lots(-sizeLots);
}
