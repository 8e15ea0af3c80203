/** @module The two prices of the strategy, from the imbalance and the inventory. Pure. */
import { clamp, ppmOf } from 'ballast/strategy';

/** What the prices are computed from. */
export interface PriceInput {
  /** Mid in ticks. */
  readonly midTicks: number;
  /** From -1, all size on the ask side, to 1. */
  readonly imbalance: number;
  /** What is held over the greatest inventory, signed. */
  readonly inventoryShare: number;
  /** Distance of a quote from the mid, in parts per million. */
  readonly halfSpreadPpm: number;
  /** Largest shift by book imbalance, in parts per million. */
  readonly imbalanceSkewPpm: number;
  /** Largest shift by inventory, in parts per million. */
  readonly inventorySkewPpm: number;
}

/** Bid and ask in ticks, with fractions, the same distance from the fair price. */
export function pricesOf(input: PriceInput): { readonly bid: number; readonly ask: number } {
  const { midTicks, imbalance, inventoryShare, halfSpreadPpm, imbalanceSkewPpm, inventorySkewPpm } = input;
  const skewPpm = imbalance * imbalanceSkewPpm - clamp(inventoryShare, -1, 1) * inventorySkewPpm;
  const fair = midTicks + ppmOf(midTicks, skewPpm);
  const half = ppmOf(midTicks, halfSpreadPpm);
  return { bid: fair - half, ask: fair + half };
}
